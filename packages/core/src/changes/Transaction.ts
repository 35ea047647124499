/** A 32 byte hash, as in viem. */
type Hash = `0x${string}`

/** The fields of a transaction that are compared. */
interface SentTransaction {
  readonly hash: Hash
  readonly from: string
  readonly nonce: number
  readonly to: string | null
  readonly value: bigint
  readonly input: string
}

/** The fields of a receipt in use. */
interface TransactionReceipt {
  readonly transactionHash: Hash
  readonly blockHash: Hash
  readonly blockNumber: bigint
  readonly status: 'success' | 'reverted'
}

/**
 * Reads transactions from a node: a viem public client, the client of wagmi's `usePublicClient`, or an object with these
 * functions. `getTransaction` and `getTransactionReceipt` reject with an error named `TransactionNotFoundError` or
 * `TransactionReceiptNotFoundError` for what the node does not know.
 *
 * @example
 * import type { TransactionClient, WaitForChangeOptions } from '@headwater/core'
 * const options = (client: TransactionClient, hash: `0x${string}`): WaitForChangeOptions<unknown> => ({
 *   transaction: { client, hash },
 * })
 */
export interface TransactionClient {
  /** The chain of the node. Without it, the blocks of the service are not compared with that of the transaction. */
  readonly chain?: { readonly id: number } | undefined
  /** Milliseconds between two reads of a transaction. Default 4000. */
  readonly pollingInterval?: number
  getTransaction(parameters: { readonly hash: Hash }): Promise<SentTransaction>
  getTransactionReceipt(parameters: { readonly hash: Hash }): Promise<TransactionReceipt>
  getTransactionCount(parameters: {
    readonly address: Hash
    readonly blockNumber?: bigint
  }): Promise<number>
  getBlock(parameters: {
    readonly blockNumber?: bigint
    readonly includeTransactions: true
  }): Promise<{
    readonly number: bigint | null
    readonly transactions: readonly SentTransaction[]
  }>
}

/**
 * A transaction that was sent.
 *
 * @example
 * import type { AwaitedTransaction, TransactionClient } from '@headwater/core'
 * const viaRelay = (client: TransactionClient, hash: `0x${string}`): AwaitedTransaction => ({
 *   client,
 *   hash,
 *   droppedAfter: 150_000,
 * })
 */
export interface AwaitedTransaction {
  /** Hash of the transaction. */
  readonly hash: Hash
  /** A node of its chain: a viem public client. */
  readonly client: TransactionClient
  /**
   * Milliseconds for which the node may not know the transaction. More for a private relay, whose transactions the node
   * knows only once they are mined. Default 30,000.
   */
  readonly droppedAfter?: number | undefined
}

/** Where a transaction was mined. */
interface MinedFields {
  /** Hash of the mined transaction: another one than was sent, if that was replaced. */
  readonly hash: Hash
  readonly blockNumber: bigint
  readonly blockHash: Hash
}

/**
 * The state of a transaction. A union discriminated by `status`.
 *
 * | status     | meaning                                                                                      |
 * | ---------- | -------------------------------------------------------------------------------------------- |
 * | `pending`  | not mined yet                                                                                |
 * | `mined`    | in a block, with success; also a replacement with another fee only, which has another `hash` |
 * | `reverted` | in a block, without effect                                                                   |
 * | `replaced` | another transaction of the sender with the same nonce was mined, with another effect         |
 * | `reorged`  | was mined in a block that left the chain, and not again since                                |
 * | `dropped`  | never mined, and unknown to the node for `droppedAfter`                                      |
 *
 * @example
 * import type { TransactionState } from '@headwater/core'
 * const text = (transaction: TransactionState) =>
 *   transaction.status === 'mined' ? `In block ${transaction.blockNumber}` : transaction.status
 */
export type TransactionState =
  | { readonly status: 'pending' | 'dropped'; readonly hash: Hash }
  | ({ readonly status: 'mined' | 'reverted' | 'reorged' } & MinedFields)
  | ({
      readonly status: 'replaced'
      /** `cancelled`: the sender sent nothing to itself. */
      readonly replacementReason: 'cancelled' | 'replaced'
    } & MinedFields)
