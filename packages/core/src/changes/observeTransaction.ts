import { Observable } from 'rxjs'
import type { AwaitedTransaction, TransactionState } from './Transaction.ts'
import { TransactionReader } from './TransactionReader.ts'

const defaultPollingIntervalMs = 4000

/**
 * The states of a transaction, read from its node by polls. Cold. Completes once it is reverted, replaced or dropped, or its
 * block left the chain and the node does not know it any more; otherwise continues, as a block may leave the chain.
 *
 * @param onRead - Called after each read, with its error if it failed. The next one follows.
 */
export function observeTransaction(
  transaction: AwaitedTransaction,
  onRead: (error?: unknown) => void,
): Observable<TransactionState> {
  const { hash, client } = transaction
  return new Observable((subscriber) => {
    const reader = new TransactionReader(transaction)
    let timer: ReturnType<typeof setTimeout> | undefined
    let state: TransactionState = { status: 'pending', hash }

    const poll = async () => {
      try {
        const next = await reader.read(state)
        if (subscriber.closed) {
          return
        }
        if (!isEqual(state, next)) {
          state = next
          subscriber.next(next)
        }
        onRead()
        if (isFinal(state, reader.isUnknown)) {
          return subscriber.complete()
        }
      } catch (error) {
        if (subscriber.closed) {
          return
        }
        onRead(error)
      }
      timer = setTimeout(() => void poll(), client.pollingInterval ?? defaultPollingIntervalMs)
    }

    subscriber.add(() => clearTimeout(timer))
    subscriber.next(state)
    void poll()
  })
}

/** Whether the state remains. A mined transaction may leave the chain, and return to it while the node knows it. */
function isFinal({ status }: TransactionState, isUnknown: boolean): boolean {
  return status === 'reorged' ? isUnknown : status !== 'pending' && status !== 'mined'
}

function isEqual(a: TransactionState, b: TransactionState): boolean {
  return (
    a.status === b.status &&
    a.hash === b.hash &&
    ('blockHash' in a && a.blockHash) === ('blockHash' in b && b.blockHash)
  )
}
