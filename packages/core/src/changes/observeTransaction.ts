import { Observable } from 'rxjs'
import type { AwaitedTransaction, TransactionState } from './Transaction.ts'
import { TransactionReader } from './TransactionReader.ts'

const defaultPollingIntervalMs = 4000

/**
 * The states of a transaction, read from its node by polls. Cold. Completes once it is reverted, replaced or dropped, or its
 * block left the chain and the node does not know it any more; otherwise continues, as a block may leave the chain.
 *
 * @param reread - Starts a read now, instead of at the next poll. The one in flight is ignored.
 * @param onRead - Called after each read that does not change the state, with its error if it failed. The next one follows.
 */
export function observeTransaction(
  transaction: AwaitedTransaction,
  reread: Observable<void>,
  onRead: (error?: unknown) => void,
): Observable<TransactionState> {
  const { hash, client } = transaction
  return new Observable((subscriber) => {
    const reader = new TransactionReader(transaction)
    let timer: ReturnType<typeof setTimeout> | undefined
    let state: TransactionState = { status: 'pending', hash }
    let latestRead = 0

    const poll = async () => {
      clearTimeout(timer)
      const read = ++latestRead
      let next = state
      let error: unknown
      try {
        next = await reader.read(state)
      } catch (reason) {
        error = reason
      }
      if (subscriber.closed || read !== latestRead) {
        return
      }
      timer = setTimeout(() => void poll(), client.pollingInterval ?? defaultPollingIntervalMs)
      if (isEqual(state, next)) {
        onRead(error)
      } else {
        subscriber.next((state = next))
      }
      if (error === undefined && isFinal(state, reader.isUnknown)) {
        subscriber.complete()
      }
    }

    subscriber.add(() => clearTimeout(timer))
    subscriber.next(state)
    subscriber.add(reread.subscribe(() => void poll()))
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
