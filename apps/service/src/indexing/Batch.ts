import type { BlockHeader } from '../rpc/BlockHeader.ts'
import type { Changes } from './Changes.ts'

/** The rows that a run of blocks brings to the store. */
export interface Batch {
  /** Oldest first, without gaps. */
  readonly blocks: readonly Pick<BlockHeader, 'number' | 'hash' | 'time'>[]
  /** How many logs they had. */
  readonly logs: number
  /** Highest block that counted as final when it was made. */
  readonly finalBlock: number
  /** What all the final blocks together changed. */
  readonly final: Changes
  /** What each block above changed, oldest first; blocks without changes left out. */
  readonly replaceable: readonly { readonly block: number; readonly changes: Changes }[]
}
