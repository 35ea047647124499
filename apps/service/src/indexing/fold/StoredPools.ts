import { type Kysely, sql } from 'kysely'
import { ConcentratedLiquidity } from '../../pricing/ConcentratedLiquidity.ts'
import type { PoolType } from '../../pricing/Pool.ts'
import { bytesArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import { toHex } from '../../store/hex.ts'
import { poolPositionsTable, selectImages } from '../undo/undoTables.ts'
import { getOrCreate } from './ChangeSet.ts'
import type { ConcentratedPool } from './ConcentratedPools.ts'
import type { BalancesPool, PoolSource } from './PoolRegistry.ts'

/** The tables of pools. */
export type PoolTable = 'pools' | 'backfill_pools'

/** The pools of a chain in the store, as of a block. */
export class StoredPools implements PoolSource {
  readonly #db: Kysely<Database>
  readonly #chainId: number
  readonly #tables: readonly PoolTable[]
  readonly #lastBlock: number

  /** @param lastBlock - must not be below the final block; by default, the states are the latest ones. */
  constructor(
    db: Kysely<Database>,
    chainId: number,
    tables: readonly PoolTable[],
    lastBlock = Number.MAX_SAFE_INTEGER,
  ) {
    this.#db = db
    this.#chainId = chainId
    this.#tables = tables
    this.#lastBlock = lastBlock
  }

  /** Loads the types of pools, by address. */
  async loadTypes(addresses: readonly string[]): Promise<Map<string, PoolType>> {
    const types = new Map<string, PoolType>()
    for (const table of this.#tables) {
      const rows = await this.#db
        .selectFrom(table)
        .select(['address', 'kind'])
        .where('chain_id', '=', this.#chainId)
        .where('address', '=', sql<Uint8Array>`any(${bytesArray(addresses)})`)
        .where('first_block', '<=', this.#lastBlock)
        .execute()
      for (const { address, kind } of rows) {
        types.set(toHex(address), kind)
      }
    }
    return types
  }

  /** Loads the latest price and the positions of pools with concentrated liquidity. */
  async loadConcentrated(addresses: readonly string[]): Promise<Map<string, ConcentratedPool>> {
    const requested = sql`any(${bytesArray(addresses)})`
    const states = await sql<{
      pool: Uint8Array
      sqrt_price: string | null
      reserve0: string | null
      reserve1: string | null
    }>`
      select requested.pool, state.* from unnest(${bytesArray(addresses)}) as requested (pool)
      left join lateral (
        select sqrt_price, reserve0, reserve1 from pool_states
        where chain_id = ${this.#chainId}::bigint and pool_states.pool = requested.pool
          and block_number <= ${this.#lastBlock}::bigint
        order by block_number desc limit 1
      ) state on true`.execute(this.#db)
    // The oldest image of a position is its value before the later blocks that changed it.
    const positions = await sql<{
      pool: Uint8Array
      tick_lower: number
      tick_upper: number
      liquidity: string
    }>`
      with version as (
        select pool, tick_lower, tick_upper, liquidity, block_number, part from (
          ${selectImages(poolPositionsTable, { chainId: this.#chainId, above: this.#lastBlock })}
        ) image
        where pool = ${requested}
        union all
        select pool, tick_lower, tick_upper, liquidity, null, null from pool_positions
        where chain_id = ${this.#chainId}::bigint and pool = ${requested}
      ),
      oldest as (
        select distinct on (pool, tick_lower, tick_upper) * from version
        order by pool, tick_lower, tick_upper, block_number nulls last, part
      )
      select pool, tick_lower, tick_upper, liquidity from oldest where liquidity <> 0`.execute(
      this.#db,
    )

    const pools = new Map<string, ConcentratedPool>(
      states.rows.map(({ pool, sqrt_price, reserve0, reserve1 }) => {
        const state = {
          sqrtPrice: BigInt(sqrt_price ?? 0),
          reserve0: BigInt(reserve0 ?? 0),
          reserve1: BigInt(reserve1 ?? 0),
        }
        const { sqrtPrice } = state
        const liquidity = new ConcentratedLiquidity()
        return [toHex(pool), { sqrtPrice, liquidity, ...(sqrtPrice > 0n && { state }) }]
      }),
    )
    for (const {
      pool,
      tick_lower: tickLower,
      tick_upper: tickUpper,
      liquidity,
    } of positions.rows) {
      pools.get(toHex(pool))?.liquidity.add({ tickLower, tickUpper }, BigInt(liquidity))
    }
    return pools
  }

  /** Loads pools with their tokens in the order of the pool. */
  async loadBalancesPools(addresses: readonly string[]): Promise<Map<string, BalancesPool>> {
    const states = await sql<{ pool: string; balances: string[]; prices: string[] }>`
      select '0x' || encode(requested.pool, 'hex') as pool, balances, prices
      from unnest(${bytesArray(addresses)}) as requested (pool)
      cross join lateral (
        select balances::text[] as balances, prices::text[] as prices from pool_states
        where chain_id = ${this.#chainId}::bigint and pool_states.pool = requested.pool
          and block_number <= ${this.#lastBlock}::bigint
        order by block_number desc limit 1
      ) state
      where balances is not null`.execute(this.#db)
    const stateOf = new Map(
      states.rows.map(({ pool, balances, prices }) => [
        pool,
        { balances: balances.map(BigInt), prices: prices.map(BigInt) },
      ]),
    )
    const pools = new Map<string, BalancesPool & { readonly tokens: string[] }>()
    for (const table of this.#tables) {
      const rows = await this.#db
        .selectFrom(table)
        .select(['address', 'kind', 'factory', 'token0', 'token1', 'index0', 'index1', 'emitter'])
        .where('chain_id', '=', this.#chainId)
        .where('address', '=', sql<Uint8Array>`any(${bytesArray(addresses)})`)
        .execute()
      for (const { kind: type, index0, index1, ...row } of rows) {
        const address = toHex(row.address)
        const { tokens } = getOrCreate(pools, address, () => {
          const state = stateOf.get(address)
          return {
            type,
            address,
            factory: toHex(row.factory),
            tokens: [],
            ...(row.emitter && { emitter: toHex(row.emitter) }),
            ...(state && { state }),
          }
        })
        tokens[index0 - 1] = toHex(row.token0)
        tokens[index1 - 1] = toHex(row.token1)
      }
    }
    return pools
  }
}
