import type { BlockHeader } from '../rpc/BlockHeader.ts'
import type { PoolFact } from './Fact.ts'

/** What one holder's amount of one token changed by within one block; never zero. */
export interface BalanceChange {
  readonly block: number
  readonly holder: string
  readonly token: string
  readonly delta: bigint
}

/** The rows that a run of blocks brings to the store. */
export interface Batch {
  /** Oldest first, without gaps. */
  readonly blocks: readonly BlockHeader[]
  readonly changes: readonly BalanceChange[]
  /** Tokens seen, with the first block of this batch that saw them. */
  readonly tokens: ReadonlyMap<string, number>
  readonly pools: readonly (PoolFact & { readonly block: number })[]
  /** Reserves at the end of each block that changed them. */
  readonly poolStates: readonly {
    readonly pool: string
    readonly block: number
    readonly reserve0: bigint
    readonly reserve1: bigint
  }[]
}
