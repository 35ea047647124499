/**
 * How the responses of a node about a block contradict each other, as the label `kind` of its metric:
 *
 * - `header_hash`: the hash of a block is not that of its header.
 * - `parent_hash`: a block does not extend the one before.
 * - `missing`: no receipts for the hash of a block.
 * - `block_hash`: a receipt or a log is of another block.
 * - `transactions`: the receipts or logs are not those of the block's transactions, in their order.
 * - `log_index`: the logs of a block are not numbered from 0 without gaps.
 * - `logs_bloom`: the logs of a block omit entries of its bloom filter.
 * - `receipts_root`: the receipts of a block are not those of the root in its header.
 * - `native_balance`: a native balance is not that of its proof.
 * - `log_range`: the logs of a range omit some that the node returns for one of its blocks.
 */
export const violationKinds = [
  'header_hash',
  'parent_hash',
  'missing',
  'block_hash',
  'transactions',
  'log_index',
  'logs_bloom',
  'receipts_root',
  'native_balance',
  'log_range',
] as const

export type ViolationKind = (typeof violationKinds)[number]

/** A contradiction between a block and what a node returned of it. */
export interface Violation {
  readonly kind: ViolationKind
  /** The number of the block. */
  readonly block: number
  readonly detail: string
}
