import { inRangeReserves } from '../../pricing/inRangeReserves.ts'
import type { PoolStateEvent, PoolType } from '../decode/DecodedEvent.ts'
import { type ChangeSet, getOrCreate } from './ChangeSet.ts'

/** A range of ticks and the liquidity in it. */
interface Position {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

/** The state of a V3 pool from which its reserves are derived. */
export interface ConcentratedPool {
  /** 0 before its initialization. */
  sqrtPrice: bigint
  /** By {@link toRangeKey}; only those with liquidity. */
  readonly positions: Map<string, Position>
  /** The latest stored state; absent before the first. */
  state?: ConcentratedState
}

/** The stored part of the state of a V3 pool. */
interface ConcentratedState {
  readonly sqrtPrice: bigint
  readonly reserve0: bigint
  readonly reserve1: bigint
}

interface CachedPool extends ConcentratedPool {
  /** The latest batch that changed it. */
  batch: number
}

/** Loads V3 pools from the store, by address. */
export type LoadPools = (addresses: readonly string[]) => Promise<Map<string, ConcentratedPool>>

/** The type of every pool of a chain, and a cache of the state of V3 pools. */
export class PoolRegistry {
  readonly #types: Map<string, PoolType>
  /** The least recently changed first. */
  readonly #concentrated = new Map<string, CachedPool>()
  /** V3 pools that the current block changed. */
  readonly #changed = new Set<string>()
  readonly #maxCachedPositions: number
  #batch = 0

  /**
   * @param types - of all pools.
   * @param maxCachedPositions - how many positions stay in memory between batches.
   */
  constructor(types: Map<string, PoolType>, maxCachedPositions = 300_000) {
    this.#types = types
    this.#maxCachedPositions = maxCachedPositions
  }

  /**
   * Adds a new pool.
   *
   * @returns false when it exists already.
   */
  add(address: string, type: PoolType): boolean {
    if (this.#types.has(address)) {
      return false
    }
    this.#types.set(address, type)
    if (type === 'uniswap-v3') {
      this.#concentrated.set(address, { sqrtPrice: 0n, positions: new Map(), batch: this.#batch })
    }
    return true
  }

  /** Continues from a common ancestor, at which these pools did not exist and all others may have had another state. */
  rewind(missing: Iterable<string>): void {
    for (const address of missing) {
      this.#types.delete(address)
    }
    this.#concentrated.clear()
    this.#changed.clear()
  }

  /** Loads the V3 pools of events into the cache, as `apply` requires. */
  async load(events: Iterable<{ readonly pool: string }>, loadPools: LoadPools): Promise<void> {
    const missing = new Set<string>()
    for (const { pool } of events) {
      if (this.#types.get(pool) === 'uniswap-v3' && !this.#concentrated.has(pool)) {
        missing.add(pool)
      }
    }
    if (missing.size === 0) {
      return
    }
    for (const [address, pool] of await loadPools([...missing])) {
      this.#concentrated.set(address, { ...pool, batch: this.#batch })
    }
  }

  /**
   * Applies an event of a known pool. Those of other contracts, or of the other type, are ignored.
   *
   * @param period - of the block; a pool keeps its last state of each period.
   */
  apply(changes: ChangeSet, event: PoolStateEvent, block: number, period: string): void {
    const type = this.#types.get(event.pool)
    if (event.kind === 'reserves') {
      const { pool, reserve0, reserve1 } = event
      if (type !== 'uniswap-v2') {
        return
      }
      changes.poolStates.set(period + pool, { pool, block, reserve0, reserve1, sqrtPrice: null })
      return
    }
    if (type !== 'uniswap-v3') {
      return
    }
    const pool = this.#concentrated.get(event.pool)
    if (!pool) {
      throw new Error(`The pool ${event.pool} was not loaded`)
    }
    this.#changed.add(event.pool)
    if (event.kind === 'price') {
      pool.sqrtPrice = event.sqrtPrice
      return
    }
    const { tickLower, tickUpper, change } = event
    if (change === 0n) {
      return
    }
    const range = toRangeKey(event)
    const liquidity = (pool.positions.get(range)?.liquidity ?? 0n) + change
    if (liquidity === 0n) {
      pool.positions.delete(range)
    } else {
      pool.positions.set(range, { tickLower, tickUpper, liquidity })
    }
    getOrCreate(changes.positions, event.pool + range, () => ({
      pool: event.pool,
      tickLower,
      tickUpper,
      liquidity: 0n,
    })).liquidity += change
  }

  /** Adds the states of the V3 pools that the block changed, after its last event. */
  endBlock(changes: ChangeSet, block: number, period: string): void {
    for (const address of this.#changed) {
      const pool = this.#concentrated.get(address)
      if (!pool) {
        continue
      }
      // Moves it to the end, as the most recently changed.
      this.#concentrated.delete(address)
      this.#concentrated.set(address, pool)
      pool.batch = this.#batch
      const { sqrtPrice, positions } = pool
      if (sqrtPrice === 0n) {
        continue
      }
      const state = { sqrtPrice, ...inRangeReserves(sqrtPrice, positions.values()) }
      // Most changes of liquidity are outside the range of the price.
      if (pool.state && isEqual(pool.state, state)) {
        continue
      }
      pool.state = state
      changes.poolStates.set(period + address, { pool: address, block, ...state })
    }
    this.#changed.clear()
  }

  /**
   * Ends a batch and evicts the least recently changed pools until the cache is small enough, but not those that the
   * batch changed, which the store does not have yet. All batches before must be committed.
   */
  endBatch(): void {
    let positions = 0
    for (const pool of this.#concentrated.values()) {
      positions += 1 + pool.positions.size
    }
    for (const [address, pool] of this.#concentrated) {
      if (positions <= this.#maxCachedPositions || pool.batch === this.#batch) {
        break
      }
      this.#concentrated.delete(address)
      positions -= 1 + pool.positions.size
    }
    this.#batch++
  }
}

function isEqual(a: ConcentratedState, b: ConcentratedState): boolean {
  return a.sqrtPrice === b.sqrtPrice && a.reserve0 === b.reserve0 && a.reserve1 === b.reserve1
}

/** The key of a range of ticks. */
export function toRangeKey({ tickLower, tickUpper }: Omit<Position, 'liquidity'>): string {
  return `${tickLower} ${tickUpper}`
}
