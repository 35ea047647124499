import type { PoolBalances, PoolType } from '../../pricing/Pool.ts'
import type {
  PoolEvent,
  PoolModel,
  PoolReference,
  PoolStateEvent,
} from '../../pricing/venues/Venue.ts'
import { getPoolModel } from '../../pricing/venues/venues.ts'
import { type ChangeSet, type PoolState, setPoolState } from './ChangeSet.ts'
import { type ConcentratedPool, ConcentratedPools } from './ConcentratedPools.ts'

/** A pool whose state is its balances, which are read by calls: no event contains them. */
export interface BalancesPool
  extends
    Pick<PoolReference, 'type' | 'address' | 'factory' | 'tokens'>,
    Pick<PoolEvent, 'emitter'> {
  /** The latest stored state; absent before the first. */
  readonly state?: PoolBalances
}

/** Loads pools from the store, by address. */
export interface PoolSource {
  /** Omits addresses without a pool. */
  readonly loadTypes: (addresses: readonly string[]) => Promise<Map<string, PoolType>>
  readonly loadConcentrated: (
    addresses: readonly string[],
  ) => Promise<Map<string, ConcentratedPool>>
  readonly loadBalancesPools: (addresses: readonly string[]) => Promise<Map<string, BalancesPool>>
}

/** The type of the pool at an address; `none` for other contracts, which may emit the same events. */
interface CachedType {
  readonly type: PoolType | 'none'
  readonly balancesPool?: BalancesPool
  /** The batch that loaded or created it. */
  readonly batch: number
}

/** A cache of the types of a chain's pools, and of their states. */
export class PoolRegistry {
  /** The least recently loaded first. */
  readonly #types = new Map<string, CachedType>()
  readonly #concentrated: ConcentratedPools
  readonly #maxTypes: number
  #batch = 0

  /** @param max - how many types and ticks stay in memory between batches. A tick takes 250 to 280 bytes. */
  constructor(max = { types: 200_000, ticks: 200_000 }) {
    this.#maxTypes = max.types
    this.#concentrated = new ConcentratedPools(max.ticks)
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
    const balancesPool = {
      type,
      address,
      factory,
      tokens,
      ...(emitter !== undefined && { emitter }),
    }
    this.#types.set(address, {
      type,
      batch: this.#batch,
      ...(state === 'balances' && { balancesPool }),
    })
    if (state === 'concentrated') {
      this.#concentrated.create(address)
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
    const withBalances = [...types].flatMap(([address, type]) =>
      getPoolModel(type).state === 'balances' ? [address] : [],
    )
    const loaded =
      withBalances.length > 0
        ? await source.loadBalancesPools(withBalances)
        : new Map<string, BalancesPool>()
    for (const address of unknown) {
      const balancesPool = loaded.get(address)
      this.#types.set(address, {
        type: types.get(address) ?? 'none',
        batch: this.#batch,
        ...(balancesPool && { balancesPool }),
      })
    }
    const missing = [...addresses].filter(
      (address) => this.#getState(address) === 'concentrated' && !this.#concentrated.has(address),
    )
    if (missing.length > 0) {
      for (const [address, pool] of await source.loadConcentrated(missing)) {
        this.#concentrated.add(address, pool)
      }
    }
    return unknown.length
  }

  #getType(address: string): PoolType | 'none' {
    const known = this.#types.get(address)
    if (!known) {
      throw new Error(`The pool ${address} was not loaded`)
    }
    return known.type
  }

  /** Finds a loaded pool. */
  findBalancesPool(address: string): BalancesPool | undefined {
    return this.#types.get(address)?.balancesPool
  }

  /**
   * Records the state that calls returned.
   *
   * @returns false if it is equal to the latest state of the pool.
   */
  recordBalances({ pool, read: state }: PoolState): boolean {
    const known = this.#types.get(pool)
    if (!known?.balancesPool || !state) {
      return false
    }
    const { state: latest } = known.balancesPool
    if (latest && isSameBalances(latest, state)) {
      return false
    }
    // Moves it to the end, as the store does not have the state yet.
    this.#types.delete(pool)
    this.#types.set(pool, {
      ...known,
      balancesPool: { ...known.balancesPool, state },
      batch: this.#batch,
    })
    return true
  }

  /** @returns undefined for an address without a pool. */
  #getState(address: string): PoolModel['state'] | undefined {
    const type = this.#getType(address)
    return type === 'none' ? undefined : getPoolModel(type).state
  }

  /**
   * Applies an event of a loaded pool. Events of other contracts, or of another kind of state, are ignored.
   *
   * @param period - of the block; a pool keeps its last state of each period.
   */
  apply(changes: ChangeSet, event: PoolStateEvent, block: number, period: string): void {
    const state = this.#getState(event.pool)
    if (event.kind === 'reserves' && state === 'reserves') {
      const { pool, reserve0, reserve1 } = event
      setPoolState(changes, period, { pool, block, reserve0, reserve1, sqrtPrice: null })
    } else if (event.kind !== 'reserves' && event.kind !== 'touch' && state === 'concentrated') {
      this.#concentrated.apply(changes, event)
    }
  }

  /** Adds the states of the pools with concentrated liquidity that the block changed, after its last event. */
  endBlock(changes: ChangeSet, block: number, period: string): void {
    this.#concentrated.endBlock(changes, block, period)
  }

  /**
   * Ends a batch and evicts the least recently used pools until the cache is small enough, but not those that the batch
   * created or changed, which the store does not have yet. All batches before must be committed.
   */
  endBatch(): void {
    for (const [address, { batch }] of this.#types) {
      if (this.#types.size <= this.#maxTypes) {
        break
      }
      if (batch < this.#batch) {
        this.#types.delete(address)
      }
    }
    this.#concentrated.endBatch()
    this.#batch++
  }
}

function isSameBalances(a: PoolBalances, b: PoolBalances): boolean {
  return a.balances.join() === b.balances.join() && a.prices.join() === b.prices.join()
}
