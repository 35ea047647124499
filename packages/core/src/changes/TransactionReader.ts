import type { AwaitedTransaction, TransactionState } from './Transaction.ts'

type Sent = Awaited<ReturnType<AwaitedTransaction['client']['getTransaction']>>

const defaultDroppedAfterMs = 30_000

/** Reads the state of a transaction from its node, and follows it to a replacement with another fee. */
export class TransactionReader {
  readonly #client: AwaitedTransaction['client']
  readonly #droppedAfter: number
  /** The hash of the awaited transaction: the sent one, or a replacement with another fee. */
  #hash: Sent['hash']
  #sent: Sent | undefined
  /** When the node knew the transaction, in time that is never set back. */
  #knownAt = performance.now()

  constructor({ hash, client, droppedAfter = defaultDroppedAfterMs }: AwaitedTransaction) {
    this.#client = client
    this.#droppedAfter = droppedAfter
    this.#hash = hash
  }

  /** Whether the node has not known the transaction for so long that it counts as dropped. */
  get isUnknown(): boolean {
    return performance.now() - this.#knownAt >= this.#droppedAfter
  }

  /** @param previous - The state of the read before. */
  async read(previous: TransactionState): Promise<TransactionState> {
    const receipt = await find(this.#client.getTransactionReceipt({ hash: this.#hash }))
    const known =
      receipt && this.#sent
        ? this.#sent
        : await find(this.#client.getTransaction({ hash: this.#hash }))
    this.#sent = known ?? this.#sent
    if (receipt) {
      const { transactionHash, blockNumber, blockHash, status } = receipt
      this.#knownAt = performance.now()
      return {
        status: status === 'reverted' ? 'reverted' : 'mined',
        hash: transactionHash,
        blockNumber,
        blockHash,
      }
    }
    const replacement = this.#sent && (await this.#findReplacement(this.#sent))
    if (replacement) {
      return replacement
    }
    if (known) {
      this.#knownAt = performance.now()
    }
    if ('blockNumber' in previous) {
      return { ...previous, status: 'reorged' }
    }
    return { status: this.isUnknown ? 'dropped' : 'pending', hash: this.#hash }
  }

  /** Finds the mined transaction that used the nonce. */
  async #findReplacement(sent: Sent): Promise<TransactionState | undefined> {
    const { nonce } = sent
    const from = sent.from as Sent['hash']
    if ((await this.#client.getTransactionCount({ address: from })) <= nonce) {
      return undefined
    }
    const blockNumber = await this.#findBlock(from, nonce)
    const { transactions } = await this.#client.getBlock({ blockNumber, includeTransactions: true })
    const found = transactions.find((each) => each.nonce === nonce && isSame(each.from, sent.from))
    const receipt = found && (await find(this.#client.getTransactionReceipt({ hash: found.hash })))
    // The chain changed meanwhile, or the sent one was just mined.
    if (!found || !receipt || found.hash === this.#hash) {
      return undefined
    }
    const mined = { hash: found.hash, blockNumber, blockHash: receipt.blockHash }
    if (
      isSame(found.to, sent.to) &&
      found.value === sent.value &&
      isSame(found.input, sent.input)
    ) {
      this.#hash = found.hash
      this.#knownAt = performance.now()
      return { ...mined, status: receipt.status === 'reverted' ? 'reverted' : 'mined' }
    }
    const isCancelled = found.value === 0n && isSame(found.to, found.from)
    return {
      ...mined,
      status: 'replaced',
      replacementReason: isCancelled ? 'cancelled' : 'replaced',
    }
  }

  /** Finds the block that contains a nonce, by a search that needs the state of recent blocks only. */
  async #findBlock(address: Sent['hash'], nonce: number): Promise<bigint> {
    const { number } = await this.#client.getBlock({ includeTransactions: true })
    let last = number ?? 0n
    /** Whether the nonce was used up to a block. */
    const isUsedAt = async (blockNumber: bigint) =>
      blockNumber >= 0n &&
      (await this.#client.getTransactionCount({ address, blockNumber })) > nonce
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
