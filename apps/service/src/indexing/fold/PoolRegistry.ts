import { ConcentratedLiquidity } from '../../pricing/ConcentratedLiquidity.ts'
import type { PoolBalances, PoolType } from '../../pricing/Pool.ts'
import type {
  PoolEvent,
  PoolModel,
  PoolReference,
  PoolStateEvent,
} from '../../pricing/venues/Venue.ts'
import { getPoolModel } from '../../pricing/venues/venues.ts'
import { type ChangeSet, getOrCreate, type PoolState, setPoolState } from './ChangeSet.ts'

/** The state of a pool with concentrated liquidity from which its reserves are derived. */
export interface ConcentratedPool {
  /** 0 before its initialization. */
  sqrtPrice: bigint
  readonly liquidity: ConcentratedLiquidity
  /** The latest stored state; absent before the first. */
  state?: ConcentratedState
}

/** The stored part of the state of a pool with concentrated liquidity. */
interface ConcentratedState {
  readonly sqrtPrice: bigint
  readonly reserve0: bigint
  readonly reserve1: bigint
}

interface CachedPool extends ConcentratedPool {
  /** The latest batch that changed it. */
  batch: number
}

/** What the state of a pool is read by. */
export interface ReadPool
  extends
    Pick<PoolReference, 'type' | 'address' | 'factory' | 'tokens'>,
    Pick<PoolEvent, 'emitter'> {
  /** The latest stored one; absent before the first. */
  readonly state?: PoolBalances
}

/** Loads pools from the store, by address. */
export interface PoolSource {
  /** Omits addresses without a pool. */
  readonly loadTypes: (addresses: readonly string[]) => Promise<Map<string, PoolType>>
  readonly loadConcentrated: (
    addresses: readonly string[],
  ) => Promise<Map<string, ConcentratedPool>>
  /** Those whose state is read. */
  readonly loadRead: (addresses: readonly string[]) => Promise<Map<string, ReadPool>>
}

/** What is known of an address: the type of its pool, or that it has none, as contracts emit events like those of pools. */
interface CachedType {
  readonly type: PoolType | 'none'
  /** Of a pool whose state is read. */
  readonly read?: ReadPool
  /** The batch that loaded or created it. */
  readonly batch: number
}

/** A cache of the types of a chain's pools, and of the state of those with concentrated liquidity. */
export class PoolRegistry {
  /** The least recently loaded first. */
  readonly #types = new Map<string, CachedType>()
  /** The least recently changed first. */
  readonly #concentrated = new Map<string, CachedPool>()
  /** Their ticks, and one for each of them. */
  #ticks = 0
  /** Pools with concentrated liquidity that the current block changed. */
  readonly #changed = new Set<string>()
  readonly #max: { readonly types: number; readonly ticks: number }
  #batch = 0

  /** @param max - how many types and ticks stay in memory between batches. A tick takes 250 to 280 bytes. */
  constructor(max = { types: 200_000, ticks: 200_000 }) {
    this.#max = max
  }

  /**
   * Applies the creation of a pool, whose address was loaded.
   *
   * @returns false when it exists already.
   */
  add(changes: ChangeSet, event: PoolEvent, block: number, period: string): boolean {
    const { address, type, factory, tokens, emitter, sqrtPrice } = event
    if (this.#getType(address) !== 'none') {
      return false
    }
    const { state } = getPoolModel(type)
    const read = { type, address, factory, tokens, ...(emitter !== undefined && { emitter }) }
    this.#types.set(address, { type, batch: this.#batch, ...(state === 'balances' && { read }) })
    if (state === 'concentrated') {
      this.#cache(address, { sqrtPrice: 0n, liquidity: new ConcentratedLiquidity() })
    }
    changes.pools.push({ ...event, block })
    if (sqrtPrice !== undefined) {
      this.apply(changes, { kind: 'price', pool: address, sqrtPrice }, block, period)
    }
    return true
  }

  /** Forgets all pools: at a common ancestor, they may not exist or have another state. */
  clear(): void {
    this.#types.clear()
    this.#concentrated.clear()
    this.#ticks = 0
    this.#changed.clear()
  }

  /**
   * Loads the pools of some addresses into the cache, as `add` and `apply` require.
   *
   * @returns how many addresses were not in the cache: they stay in memory until the batch ends.
   */
  async load(addresses: ReadonlySet<string>, source: PoolSource): Promise<number> {
    const unknown: string[] = []
    for (const address of addresses) {
      const known = this.#types.get(address)
      if (known) {
        // Moves it to the end, as the most recently loaded.
        this.#types.delete(address)
        this.#types.set(address, known)
      } else {
        unknown.push(address)
      }
    }
    const types = unknown.length > 0 ? await source.loadTypes(unknown) : new Map<string, PoolType>()
    const isRead = (type: PoolType) => getPoolModel(type).state === 'balances'
    const toRead = [...types].flatMap(([address, type]) => (isRead(type) ? [address] : []))
    const loaded = toRead.length > 0 ? await source.loadRead(toRead) : new Map<string, ReadPool>()
    for (const address of unknown) {
      const read = loaded.get(address)
      this.#types.set(address, {
        type: types.get(address) ?? 'none',
        batch: this.#batch,
        ...(read && { read }),
      })
    }
    const missing = [...addresses].filter((address) => {
      return this.#getState(address) === 'concentrated' && !this.#concentrated.has(address)
    })
    if (missing.length === 0) {
      return unknown.length
    }
    for (const [address, pool] of await source.loadConcentrated(missing)) {
      this.#cache(address, pool)
    }
    return unknown.length
  }

  #cache(address: string, pool: ConcentratedPool): void {
    this.#concentrated.set(address, { ...pool, batch: this.#batch })
    this.#ticks += 1 + pool.liquidity.size
  }

  #getType(address: string): PoolType | 'none' {
    const known = this.#types.get(address)
    if (!known) {
      throw new Error(`The pool ${address} was not loaded`)
    }
    return known.type
  }

  /** A loaded pool whose state is read, if the address is that of one. */
  getRead(address: string): ReadPool | undefined {
    return this.#types.get(address)?.read
  }

  /**
   * Records the state that was read of a pool.
   *
   * @returns false for that which the pool has already.
   */
  recordRead({ pool, read: state }: PoolState): boolean {
    const known = this.#types.get(pool)
    if (!known?.read || !state || (known.read.state && isSameRead(known.read.state, state))) {
      return false
    }
    // Moves it to the end, as the store does not have the state yet.
    this.#types.delete(pool)
    this.#types.set(pool, { ...known, read: { ...known.read, state }, batch: this.#batch })
    return true
  }

  /** What a pool consists of, if the address is that of one. */
  #getState(address: string): PoolModel['state'] | undefined {
    const type = this.#getType(address)
    return type === 'none' ? undefined : getPoolModel(type).state
  }

  /**
   * Applies an event of a known pool. Those of other contracts, or of the other kind of state, are ignored.
   *
   * @param period - of the block; a pool keeps its last state of each period.
   */
  apply(changes: ChangeSet, event: PoolStateEvent, block: number, period: string): void {
    const state = this.#getState(event.pool)
    if (event.kind === 'reserves') {
      const { pool, reserve0, reserve1 } = event
      if (state !== 'reserves') {
        return
      }
      setPoolState(changes, period, { pool, block, reserve0, reserve1, sqrtPrice: null })
      return
    }
    if (state !== 'concentrated' || event.kind === 'touch') {
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

  /** Adds the states of the pools with concentrated liquidity that the block changed, after its last event. */
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

  /**
   * Ends a batch and evicts the least recently used pools until the cache is small enough, but not those that the batch
   * created or changed, which the store does not have yet. All batches before must be committed.
   */
  endBatch(): void {
    for (const [address, { batch }] of this.#types) {
      if (this.#types.size <= this.#max.types) {
        break
      }
      if (batch < this.#batch) {
        this.#types.delete(address)
      }
    }
    for (const [address, pool] of this.#concentrated) {
      if (this.#ticks <= this.#max.ticks || pool.batch === this.#batch) {
        break
      }
      this.#concentrated.delete(address)
      this.#ticks -= 1 + pool.liquidity.size
    }
    this.#batch++
  }
}

function isEqual(a: ConcentratedState, b: ConcentratedState): boolean {
  return a.sqrtPrice === b.sqrtPrice && a.reserve0 === b.reserve0 && a.reserve1 === b.reserve1
}

function isSameRead(a: PoolBalances, b: PoolBalances): boolean {
  return a.balances.join() === b.balances.join() && a.prices.join() === b.prices.join()
}
