import { inRangeReserves } from '../pricing/inRangeReserves.ts'
import { type Changes, entry } from './Changes.ts'
import type { PoolStateFact, PoolType } from './Fact.ts'

/** A range of ticks and the liquidity in it. */
export interface Position {
  readonly tickLower: number
  readonly tickUpper: number
  readonly liquidity: bigint
}

/** What must be known of a V3 pool to tell what it holds at its price. */
export interface ConcentratedPool {
  /** 0 before the first. */
  sqrtPrice: bigint
  /** By `rangeKey`; none without liquidity. */
  readonly positions: Map<string, Position>
  /** The newest of its states that was written; none before the first. */
  state?: ConcentratedState
}

/** What is written of a V3 pool when it differs from before. */
interface ConcentratedState {
  readonly sqrtPrice: bigint
  readonly reserve0: bigint
  readonly reserve1: bigint
}

interface KeptPool extends ConcentratedPool {
  /** The newest batch that changed it. */
  batch: number
}

/** Reads V3 pools from where they are kept. */
export type LoadPools = (addresses: readonly string[]) => Promise<Map<string, ConcentratedPool>>

/** The pools of a chain: which there are, and how the V3 pools stand that are being written about. */
export class PoolBook {
  readonly #types: Map<string, PoolType>
  /** The longest untouched first. */
  readonly #concentrated = new Map<string, KeptPool>()
  /** V3 pools that the present block changed. */
  readonly #changed = new Set<string>()
  readonly #keptPositions: number
  #batch = 0

  /**
   * @param types of every pool that there is.
   * @param keptPositions how many positions to keep in memory between batches.
   */
  constructor(types: Map<string, PoolType>, keptPositions = 300_000) {
    this.#types = types
    this.#keptPositions = keptPositions
  }

  /** Notes a new pool. @returns false when it is there already. */
  add(address: string, type: PoolType): boolean {
    if (this.#types.has(address)) return false
    this.#types.set(address, type)
    if (type === 'uniswap-v3')
      this.#concentrated.set(address, { sqrtPrice: 0n, positions: new Map(), batch: this.#batch })
    return true
  }

  /** Brings the known V3 pools of these facts into memory. To be called before they are folded. */
  async load(facts: Iterable<{ readonly pool: string }>, loadPools: LoadPools): Promise<void> {
    const missing = new Set<string>()
    for (const { pool } of facts)
      if (this.#types.get(pool) === 'uniswap-v3' && !this.#concentrated.has(pool)) missing.add(pool)
    if (missing.size === 0) return
    for (const [address, pool] of await loadPools([...missing]))
      this.#concentrated.set(address, { ...pool, batch: this.#batch })
  }

  /** Adds what is told of a pool. Only of a known one, and of its type, is it true. */
  fold(changes: Changes, fact: PoolStateFact, block: number): void {
    const type = this.#types.get(fact.pool)
    if (fact.kind === 'reserves') {
      const { pool, reserve0, reserve1 } = fact
      if (type !== 'uniswap-v2') return
      changes.poolStates.set(block + pool, { pool, block, reserve0, reserve1, sqrtPrice: null })
      return
    }
    if (type !== 'uniswap-v3') return
    const pool = this.#concentrated.get(fact.pool)
    if (!pool) throw new Error(`The pool ${fact.pool} was not loaded`)
    this.#changed.add(fact.pool)
    if (fact.kind === 'price') {
      pool.sqrtPrice = fact.sqrtPrice
      return
    }
    const { tickLower, tickUpper, change } = fact
    if (change === 0n) return
    const range = rangeKey(fact)
    const liquidity = (pool.positions.get(range)?.liquidity ?? 0n) + change
    if (liquidity === 0n) pool.positions.delete(range)
    else pool.positions.set(range, { tickLower, tickUpper, liquidity })
    entry(changes.positions, fact.pool + range, () => ({
      ...{ pool: fact.pool, tickLower, tickUpper },
      liquidity: 0n,
    })).liquidity += change
  }

  /** Adds what the V3 pools hold that the block changed. To be called after its last fact. */
  endBlock(changes: Changes, block: number): void {
    for (const address of this.#changed) {
      const pool = this.#concentrated.get(address)
      if (!pool) continue
      // The newest touched last.
      this.#concentrated.delete(address)
      this.#concentrated.set(address, pool)
      pool.batch = this.#batch
      const { sqrtPrice, positions } = pool
      if (sqrtPrice === 0n) continue
      const state = { sqrtPrice, ...inRangeReserves(sqrtPrice, positions.values()) }
      // Most positions come and go where the price is not.
      if (pool.state && isSame(pool.state, state)) continue
      pool.state = state
      changes.poolStates.set(block + address, { pool: address, block, ...state })
    }
    this.#changed.clear()
  }

  /**
   * Ends a batch. Forgets how pools stand, the longest untouched first, until few enough positions are kept; but not
   * those that the batch changed, which the store does not know yet. All batches before must be committed.
   */
  endBatch(): void {
    let positions = 0
    for (const pool of this.#concentrated.values()) positions += 1 + pool.positions.size
    for (const [address, pool] of this.#concentrated) {
      if (positions <= this.#keptPositions || pool.batch === this.#batch) break
      this.#concentrated.delete(address)
      positions -= 1 + pool.positions.size
    }
    this.#batch++
  }
}

function isSame(a: ConcentratedState, b: ConcentratedState): boolean {
  return a.sqrtPrice === b.sqrtPrice && a.reserve0 === b.reserve0 && a.reserve1 === b.reserve1
}

/** A range as a key of `positions`. */
export function rangeKey({ tickLower, tickUpper }: Omit<Position, 'liquidity'>): string {
  return `${tickLower} ${tickUpper}`
}
