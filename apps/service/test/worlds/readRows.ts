import { sql } from 'kysely'
import { toHex } from '../../src/store/hex.ts'
import type { Store } from '../../src/store/Store.ts'
import { readLedger } from '../readLedger.ts'
import type { Counted } from './Recount.ts'

/** The rows of a chain in the format of {@link Counted}. */
export interface StoredRows extends Counted {
  /** The latest state of each pool, by address. */
  readonly poolStates: Map<
    string,
    { reserve0: bigint; reserve1: bigint; sqrtPrice: bigint | undefined }
  >
}

/** Reads the tables of a chain at its indexed block. */
export async function readRows({ db }: Store, chainId: number): Promise<StoredRows> {
  const cursor = await db
    .selectFrom('chains')
    .select('indexed_block')
    .where('chain_id', '=', chainId)
    .executeTakeFirstOrThrow()
  const rows: StoredRows = {
    block: cursor.indexed_block ?? -1,
    balances: new Map(),
    items: new Map(),
    owners: new Map(),
    collectibles: new Map(),
    tokens: new Map(),
    sales: [],
    pools: new Map(),
    positions: new Map(),
    poolStates: new Map(),
  }
  for (const row of await readLedger(db, chainId)) {
    rows.balances.set(`${row.holder} ${row.token} ${row.standard}`, {
      amount: BigInt(row.amount),
      ...(row.first_in_block !== null && { firstIn: row.first_in_block }),
      ...(row.initiated_block !== null && { initiated: row.initiated_block }),
    })
  }
  const items = await db
    .selectFrom('collectible_balances')
    .selectAll()
    .where('chain_id', '=', chainId)
    .execute()
  for (const row of items) {
    rows.items.set(`${toHex(row.holder)} ${toHex(row.contract)} ${row.token_id}`, {
      amount: BigInt(row.amount),
      ...(row.last_in_block !== null && { lastIn: row.last_in_block }),
    })
  }
  for (const row of await db
    .selectFrom('collectibles')
    .where('chain_id', '=', chainId)
    .select(['contract', 'token_id', 'first_block', 'owner'])
    .execute()) {
    const key = `${toHex(row.contract)} ${row.token_id}`
    rows.collectibles.set(key, row.first_block)
    if (row.owner) {
      rows.owners.set(key, toHex(row.owner))
    }
  }
  for (const row of await db
    .selectFrom('tokens')
    .where('chain_id', '=', chainId)
    .select(['address', 'standard', 'first_block'])
    .execute()) {
    rows.tokens.set(toHex(row.address), { standard: row.standard, block: row.first_block })
  }
  const sales = await db
    .selectFrom('collectible_sales')
    .selectAll()
    .where('chain_id', '=', chainId)
    .orderBy('block_number')
    .orderBy('log_index')
    .execute()
  for (const row of sales) {
    rows.sales.push(
      `${toHex(row.contract)} ${row.token_id} ${row.block_number} ${row.log_index} ${row.price}`,
    )
  }
  for (const row of await db
    .selectFrom('pools')
    .selectAll()
    .where('chain_id', '=', chainId)
    .execute()) {
    const { kind, fee } = row
    const token0 = toHex(row.token0)
    const token1 = toHex(row.token1)
    rows.pools.set(toHex(row.address), { kind, token0, token1, fee })
  }
  const positions = await db
    .selectFrom('pool_positions')
    .selectAll()
    .where('chain_id', '=', chainId)
    .execute()
  for (const row of positions) {
    rows.positions.set(
      `${toHex(row.pool)} ${row.tick_lower} ${row.tick_upper}`,
      BigInt(row.liquidity),
    )
  }
  const states = await sql<{
    pool: Uint8Array
    reserve0: string
    reserve1: string
    sqrt_price: string | null
  }>`
    select distinct on (pool) pool, reserve0::text, reserve1::text, sqrt_price::text
    from pool_states where chain_id = ${chainId} order by pool, block_number desc`.execute(db)
  for (const { pool, reserve0, reserve1, sqrt_price: root } of states.rows) {
    rows.poolStates.set(toHex(pool), {
      reserve0: BigInt(reserve0),
      reserve1: BigInt(reserve1),
      sqrtPrice: root === null ? undefined : BigInt(root),
    })
  }
  return rows
}
