import { Observable } from 'rxjs'
import type { AwaitedTransaction, TransactionState } from './Transaction.ts'

type Sent = Awaited<ReturnType<AwaitedTransaction['client']['getTransaction']>>

const defaultPollingIntervalMs = 4000
const defaultDroppedAfterMs = 30_000

/**
 * The states of a transaction, read from its node by polls. Cold. Completes once it is reverted, replaced or dropped, or its
 * block left the chain and the node does not know it any more; otherwise continues, as a block may leave the chain.
 *
 * @param onRead - Called after each read, with its error if it failed. The next one follows.
 */
export function observeTransaction(
  { hash, client, droppedAfter = defaultDroppedAfterMs }: AwaitedTransaction,
  onRead: (error?: unknown) => void,
): Observable<TransactionState> {
  return new Observable((subscriber) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    /** The awaited transaction: the sent one, or a replacement with another fee. */
    let awaited = hash
    let sent: Sent | undefined
    let state: TransactionState = { status: 'pending', hash }
    /** When the node knew the transaction. */
    let knownAt = Date.now()

    const read = async (): Promise<TransactionState> => {
      const receipt = await find(client.getTransactionReceipt({ hash: awaited }))
      const known = receipt && sent ? sent : await find(client.getTransaction({ hash: awaited }))
      sent = known ?? sent
      if (receipt) {
        const { transactionHash, blockNumber, blockHash, status } = receipt
        knownAt = Date.now()
        return {
          status: status === 'reverted' ? 'reverted' : 'mined',
          hash: transactionHash,
          blockNumber,
          blockHash,
        }
      }
      const replacement = sent && (await findReplacement(sent))
      if (replacement) {
        return replacement
      }
      if (known) {
        knownAt = Date.now()
      }
      if ('blockNumber' in state) {
        return { ...state, status: 'reorged' }
      }
      return { status: Date.now() - knownAt >= droppedAfter ? 'dropped' : 'pending', hash: awaited }
    }

    /** Finds the mined transaction that used the nonce. */
    const findReplacement = async (original: Sent): Promise<TransactionState | undefined> => {
      const { nonce } = original
      const from = original.from as Sent['hash']
      if ((await client.getTransactionCount({ address: from })) <= nonce) {
        return undefined
      }
      const blockNumber = await findBlock(from, nonce)
      const { transactions } = await client.getBlock({ blockNumber, includeTransactions: true })
      const found = transactions.find(
        (each) => each.nonce === nonce && isSame(each.from, original.from),
      )
      const receipt = found && (await find(client.getTransactionReceipt({ hash: found.hash })))
      // The chain changed meanwhile, or the sent one was just mined.
      if (!found || !receipt || found.hash === awaited) {
        return undefined
      }
      const mined = { hash: found.hash, blockNumber, blockHash: receipt.blockHash }
      if (
        isSame(found.to, original.to) &&
        found.value === original.value &&
        isSame(found.input, original.input)
      ) {
        awaited = found.hash
        knownAt = Date.now()
        return { ...mined, status: receipt.status === 'reverted' ? 'reverted' : 'mined' }
      }
      const isCancelled = found.value === 0n && isSame(found.to, found.from)
      const replacementReason = isCancelled ? 'cancelled' : 'replaced'
      return { ...mined, status: 'replaced', replacementReason }
    }

    /** Finds the block that contains a nonce, by a search that needs the state of recent blocks only. */
    const findBlock = async (address: Sent['hash'], nonce: number): Promise<bigint> => {
      const { number } = await client.getBlock({ includeTransactions: true })
      let last = number ?? 0n
      /** Whether the nonce was used up to a block. */
      const isUsedAt = async (blockNumber: bigint) =>
        blockNumber >= 0n && (await client.getTransactionCount({ address, blockNumber })) > nonce
      let step = 1n
      while (await isUsedAt(last - step)) {
        last -= step
        step *= 2n
      }
      // Not used at `last - step`, used at `last`.
      let unused = last - step < -1n ? -1n : last - step
      while (last - unused > 1n) {
        const middle = (last + unused) / 2n
        if (await isUsedAt(middle)) {
          last = middle
        } else {
          unused = middle
        }
      }
      return last
    }

    const poll = async () => {
      try {
        const next = await read()
        if (subscriber.closed) {
          return
        }
        const isUnknown = Date.now() - knownAt >= droppedAfter
        if (!isEqual(state, next)) {
          subscriber.next((state = next))
        }
        onRead()
        const { status } = state
        const isFinal =
          status === 'reorged' ? isUnknown : status !== 'pending' && status !== 'mined'
        if (isFinal) {
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

/** Undefined for what the node does not know. */
async function find<T>(result: Promise<T>): Promise<T | undefined> {
  try {
    return await result
  } catch (error) {
    if (/^Transaction(Receipt)?NotFoundError$/.test((error as Error | undefined)?.name ?? '')) {
      return undefined
    }
    throw error
  }
}

/** Hex strings may differ in case. */
function isSame(a: string | null, b: string | null): boolean {
  return a?.toLowerCase() === b?.toLowerCase()
}

function isEqual(a: TransactionState, b: TransactionState): boolean {
  return (
    a.status === b.status &&
    a.hash === b.hash &&
    ('blockHash' in a && a.blockHash) === ('blockHash' in b && b.blockHash)
  )
}
