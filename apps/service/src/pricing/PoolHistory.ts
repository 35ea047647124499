import type { Pool, PoolState } from './Pool.ts'

/** The states of a pool in a few seconds of the window before a point. */
export interface PoolSample extends PoolState {
  /** How long they were in force, in seconds. The state is the one that was in force longest. */
  readonly seconds: number
  /** Their lowest reserves. */
  readonly low0: bigint
  readonly low1: bigint
}

/** A pool at a point, with its states in the window before it. */
export interface PoolHistory {
  readonly pool: Pool
  /** Whether the pool was created before the window. */
  readonly isSeasoned: boolean
  /** The block of its creation; undefined for one that is not indexed. */
  readonly createdBlock: number | undefined
  /** Empty for a pool that did not change in the window. */
  readonly samples: readonly PoolSample[]
  /**
   * The lowest rank of the pools of the token that are loaded, and of those of the token and the pair's quote token. Pools with a
   * lower rank are not loaded. Undefined where there are no others.
   */
  readonly leastRank?: number | undefined
  readonly leastPairRank?: number | undefined
}
