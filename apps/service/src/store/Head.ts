import type { TimedBlock } from '../rpc/methods/BlockHeader.ts'

/** The head of the store: the indexed block of a chain. */
export interface Head extends TimedBlock {
  /** Incremented when names, symbols or decimals of the chain's tokens change, which they do without a new block. */
  readonly metadataVersion: number
}
