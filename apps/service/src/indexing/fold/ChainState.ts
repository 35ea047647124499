import { type Kysely, sql } from 'kysely'
import type { ChainConfig } from '../../config/Config.ts'
import type { ContractSource } from '../../metadata/callContracts.ts'
import { ConcentratedLiquidity } from '../../pricing/ConcentratedLiquidity.ts'
import type { PoolType } from '../../pricing/Pool.ts'
import type { BlockHeader } from '../../rpc/methods/BlockHeader.ts'
import { bytesArray } from '../../store/arrays.ts'
import type { Database } from '../../store/Database.ts'
import { toHex } from '../../store/hex.ts'
import { secondsPerDay, secondsPerMinute } from '../../time.ts'
import { createAddedScope, createScope, type Scope } from '../decode/Scope.ts'
import type { StoredScope } from '../decode/StoredScope.ts'
import type { Cursor } from '../follow/Cursor.ts'
import { poolPositionsTable, selectImages } from '../undo/undoTables.ts'
import { BatchBuilder, type Downsampling } from './BatchBuilder.ts'
import { getOrCreate } from './ChangeSet.ts'
import { PoolReader } from './PoolReader.ts'
import { type ConcentratedPool, PoolRegistry, type ReadPool } from './PoolRegistry.ts'
import { loadUnreadPools } from './unreadPools.ts'

/** The tables of pools that a state knows. */
type PoolTable = 'pools' | 'backfill_pools'

/** The number of the latest block of the nodes, and its time in unix seconds. */
type Head = Pick<BlockHeader, 'number' | 'time'>

/** Where a state is loaded from: the store, and the nodes for what no event has. */
interface ChainSource {
  readonly db: Kysely<Database>
  readonly chain: ChainConfig
  readonly node: ContractSource
}

/** The state that the next batch builds on: the cursor, and the pools after all batches so far, committed or not. */
export class ChainState {
  cursor: Cursor
  readonly #db: Kysely<Database>
  readonly #chain: ChainConfig
  readonly #scope: Scope
  readonly #pools = new PoolRegistry()
  readonly #poolTables: readonly PoolTable[]
  readonly #reader: PoolReader

  private constructor(
    { db, chain, node }: ChainSource,
    cursor: Cursor,
    scope: Scope,
    poolTables: readonly PoolTable[],
  ) {
    this.cursor = cursor
    this.#db = db
    this.#chain = chain
    this.#scope = scope
    this.#poolTables = poolTables
    this.#reader = new PoolReader(node)
  }

  /** Continues from the cursor of a chain. */
  static create(source: ChainSource, cursor: Cursor): ChainState {
    return new ChainState(source, cursor, createScope(source.chain, cursor.scope), ['pools'])
  }

  /** The state of a backfill, for the pools and sales that `scope` adds to those of the cursor. */
  static createForBackfill(source: ChainSource, cursor: Cursor, scope: StoredScope): ChainState {
    const added = createAddedScope(source.chain, cursor.scope, scope)
    return new ChainState(source, cursor, added, ['backfill_pools'])
  }

  /** The state with the pools of a chain and those of its backfill, to index both from the end of the backfill on. */
  static createWithBackfill(source: ChainSource, cursor: Cursor, scope: StoredScope): ChainState {
    const tables = ['pools', 'backfill_pools'] as const
    return new ChainState(source, { ...cursor, scope }, createScope(source.chain, scope), tables)
  }

  /**
   * @param undoBlock - the lowest block to which the chain can be undone afterwards.
   * @param head - the latest block of the nodes.
   */
  startBatch(undoBlock: number, head: Head): BatchBuilder {
    const downsampling = getDownsampling(this.#chain, head.time)
    return this.#createBuilder(undoBlock, head.number, { downsampling })
  }

  /**
   * Starts a batch that replaces the blocks above a common ancestor. All batches before must be committed, and if this one
   * is not, the state is invalid.
   */
  startReorg(ancestor: number, head: Pick<Head, 'number'>): BatchBuilder {
    this.#pools.clear()
    // With images of every block, as the commit may end below the head.
    return this.#createBuilder(this.cursor.finalizedBlock, head.number, { lastBlock: ancestor })
  }

  /** @param options.lastBlock - loads the pools as of this block. */
  #createBuilder(
    undoBlock: number,
    head: number,
    { downsampling, lastBlock }: { downsampling?: Downsampling; lastBlock?: number },
  ): BatchBuilder {
    const { id } = this.#chain
    return new BatchBuilder({
      scope: this.#scope,
      pools: this.#pools,
      poolSource: {
        loadTypes: (addresses) =>
          loadPoolTypes(this.#db, id, this.#poolTables, addresses, lastBlock),
        loadConcentrated: (addresses) => loadConcentratedPools(this.#db, id, addresses, lastBlock),
        loadRead: (addresses) =>
          loadReadPools(this.#db, id, this.#poolTables, addresses, lastBlock),
      },
      reader: this.#reader,
      loadUnread: (factories) => loadUnreadPools(this.#db, id, factories, lastBlock),
      undoBlock,
      head,
      downsampling,
    })
  }

  /** Ends a batch. All batches before it must be committed. */
  endBatch(): void {
    this.#pools.endBatch()
  }
}

/** Which states of pools are written once per bucket of time. */
export function getDownsampling(
  { priceHistory }: Pick<ChainConfig, 'priceHistory'>,
  headTime: number,
): Downsampling {
  // A node may report any time.
  const now = Math.min(headTime, Date.now() / 1000)
  return {
    before: now - priceHistory.exactDays * secondsPerDay,
    bucketSeconds: priceHistory.bucketMinutes * secondsPerMinute,
  }
}

/**
 * Loads the types of pools, by address.
 *
 * @param lastBlock - omits pools that were created after this block.
 */
async function loadPoolTypes(
  db: Kysely<Database>,
  chainId: number,
  tables: readonly PoolTable[],
  addresses: readonly string[],
  lastBlock = Number.MAX_SAFE_INTEGER,
): Promise<Map<string, PoolType>> {
  const types = new Map<string, PoolType>()
  for (const table of tables) {
    const rows = await db
      .selectFrom(table)
      .select(['address', 'kind'])
      .where('chain_id', '=', chainId)
      .where('address', '=', sql<Uint8Array>`any(${bytesArray(addresses)})`)
      .where('first_block', '<=', lastBlock)
      .execute()
    for (const { address, kind } of rows) {
      types.set(toHex(address), kind)
    }
  }
  return types
}

/**
 * Loads the latest price and the positions of pools with concentrated liquidity.
 *
 * @param lastBlock - loads them as of this block, which must not be below the final block.
 */
async function loadConcentratedPools(
  db: Kysely<Database>,
  chainId: number,
  addresses: readonly string[],
  lastBlock = Number.MAX_SAFE_INTEGER,
): Promise<Map<string, ConcentratedPool>> {
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
      where chain_id = ${chainId}::bigint and pool_states.pool = requested.pool
        and block_number <= ${lastBlock}::bigint
      order by block_number desc limit 1
    ) state on true`.execute(db)
  // The oldest image of a position is its value before the later blocks that changed it.
  const positions = await sql<{
    pool: Uint8Array
    tick_lower: number
    tick_upper: number
    liquidity: string
  }>`
    with version as (
      select pool, tick_lower, tick_upper, liquidity, block_number, part from (
        ${selectImages(poolPositionsTable, { chainId, above: lastBlock })}
      ) image
      where pool = ${requested}
      union all
      select pool, tick_lower, tick_upper, liquidity, null, null from pool_positions
      where chain_id = ${chainId}::bigint and pool = ${requested}
    ),
    oldest as (
      select distinct on (pool, tick_lower, tick_upper) * from version
      order by pool, tick_lower, tick_upper, block_number nulls last, part
    )
    select pool, tick_lower, tick_upper, liquidity from oldest where liquidity <> 0`.execute(db)

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
  for (const { pool, tick_lower: tickLower, tick_upper: tickUpper, liquidity } of positions.rows) {
    pools.get(toHex(pool))?.liquidity.add({ tickLower, tickUpper }, BigInt(liquidity))
  }
  return pools
}

/**
 * Loads what the state of pools is read by: their tokens, in the order of the pool, and the latest state.
 *
 * @param lastBlock - loads the state as of this block.
 */
async function loadReadPools(
  db: Kysely<Database>,
  chainId: number,
  tables: readonly PoolTable[],
  addresses: readonly string[],
  lastBlock = Number.MAX_SAFE_INTEGER,
): Promise<Map<string, ReadPool>> {
  const states = await sql<{ pool: string; balances: string[]; prices: string[] }>`
    select '0x' || encode(requested.pool, 'hex') as pool, balances, prices
    from unnest(${bytesArray(addresses)}) as requested (pool)
    cross join lateral (
      select balances::text[] as balances, prices::text[] as prices from pool_states
      where chain_id = ${chainId}::bigint and pool_states.pool = requested.pool
        and block_number <= ${lastBlock}::bigint
      order by block_number desc limit 1
    ) state
    where balances is not null`.execute(db)
  const stateOf = new Map(
    states.rows.map(({ pool, balances, prices }) => [
      pool,
      { balances: balances.map(BigInt), prices: prices.map(BigInt) },
    ]),
  )
  const pools = new Map<string, ReadPool & { readonly tokens: string[] }>()
  for (const table of tables) {
    const rows = await db
      .selectFrom(table)
      .select(['address', 'kind', 'factory', 'token0', 'token1', 'index0', 'index1', 'emitter'])
      .where('chain_id', '=', chainId)
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
