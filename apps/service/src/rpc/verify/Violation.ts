/**
 * How the responses of a node about a block contradict each other, as the label `kind` of its metric:
 *
 * - `parent_hash`: a block does not extend the one before.
 * - `missing`: no receipts for the hash of a block.
 * - `block_hash`: a receipt or a log is of another block.
 * - `transactions`: the receipts or logs are not those of the block's transactions, in their order.
 * - `log_index`: the logs of a block are not numbered from 0 without gaps.
 * - `logs_bloom`: the logs of a block omit entries of its bloom filter.
 * - `log_range`: the logs of a range omit some that the node returns for one of its blocks.
 */
export const violationKinds = [
  'parent_hash',
  'missing',
  'block_hash',
  'transactions',
  'log_index',
  'logs_bloom',
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
