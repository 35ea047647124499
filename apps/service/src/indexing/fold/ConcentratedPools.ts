import { ConcentratedLiquidity } from '../../pricing/ConcentratedLiquidity.ts'
import type { LoggedState } from '../../pricing/venues/Venue.ts'
import { type ChangeSet, getOrCreate, setPoolState } from './ChangeSet.ts'

/** The state of a pool with concentrated liquidity from which its reserves are derived. */
export interface ConcentratedPool {
  /** 0 before its initialization. */
  sqrtPrice: bigint
  readonly liquidity: ConcentratedLiquidity
  /** The latest stored state; absent before the first. */
  state?: StoredState
}

/** The stored part of the state. */
interface StoredState {
  readonly sqrtPrice: bigint
  readonly reserve0: bigint
  readonly reserve1: bigint
}

interface CachedPool extends ConcentratedPool {
  /** The latest batch that changed it. */
  batch: number
}

/** A cache of pools with concentrated liquidity. */
export class ConcentratedPools {
  /** The least recently changed first. */
  readonly #pools = new Map<string, CachedPool>()
  /** Pools that the current block changed. */
  readonly #changed = new Set<string>()
  readonly #maxTicks: number
  /** The ticks of all pools, and one for each pool. */
  #ticks = 0
  #batch = 0

  /** @param maxTicks - how many ticks stay in memory between batches. */
  constructor(maxTicks: number) {
    this.#maxTicks = maxTicks
  }

  has(address: string): boolean {
    return this.#pools.has(address)
  }

  add(address: string, pool: ConcentratedPool): void {
    this.#pools.set(address, { ...pool, batch: this.#batch })
    this.#ticks += 1 + pool.liquidity.size
  }

  /** Adds a pool that a block creates. */
  create(address: string): void {
    this.add(address, { sqrtPrice: 0n, liquidity: new ConcentratedLiquidity() })
  }

  clear(): void {
    this.#pools.clear()
    this.#changed.clear()
    this.#ticks = 0
  }

  apply(changes: ChangeSet, event: Exclude<LoggedState, { kind: 'reserves' }>): void {
    const pool = this.#pools.get(event.pool)
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
    this.#ticks -= pool.liquidity.size
    pool.liquidity.add(event, change)
    this.#ticks += pool.liquidity.size
    getOrCreate(changes.positions, `${event.pool} ${tickLower} ${tickUpper}`, () => ({
      pool: event.pool,
      tickLower,
      tickUpper,
      liquidity: 0n,
    })).liquidity += change
  }

  /** Adds the states of the pools that the block changed, after its last event. */
  endBlock(changes: ChangeSet, block: number, period: string): void {
    for (const address of this.#changed) {
      const pool = this.#pools.get(address)
      if (!pool) {
        continue
      }
      // Moves it to the end, as the most recently changed.
      this.#pools.delete(address)
      this.#pools.set(address, pool)
      pool.batch = this.#batch
      const { sqrtPrice, liquidity } = pool
      if (sqrtPrice === 0n) {
        continue
      }
      const state = { sqrtPrice, ...liquidity.getReserves(sqrtPrice) }
      // Most changes of liquidity are outside the range of the price.
      if (pool.state && isEqual(pool.state, state)) {
        continue
      }
      pool.state = state
      setPoolState(changes, period, { pool: address, block, ...state })
    }
    this.#changed.clear()
  }

  /** Ends a batch, and evicts pools that it did not change. */
  endBatch(): void {
    for (const [address, pool] of this.#pools) {
      if (this.#ticks <= this.#maxTicks || pool.batch === this.#batch) {
        break
      }
      this.#pools.delete(address)
      this.#ticks -= 1 + pool.liquidity.size
    }
    this.#batch++
  }
}

function isEqual(a: StoredState, b: StoredState): boolean {
  return a.sqrtPrice === b.sqrtPrice && a.reserve0 === b.reserve0 && a.reserve1 === b.reserve1
}
