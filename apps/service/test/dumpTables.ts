import { sql } from 'kysely'
import type { Database } from '../src/store/Database.ts'
import type { Store } from '../src/store/Store.ts'

/** Tables that indexing writes. */
type IndexedTable = Exclude<keyof Database, 'chains' | 'keys' | 'secrets'>

const tables: readonly IndexedTable[] = [
  'blocks',
  'tokens',
  'balances',
  'undo_balances',
  'collectible_balances',
  'undo_collectible_balances',
  'collectibles',
  'undo_collectibles',
  'collectible_sales',
  'skipped_events',
  'pools',
  'pool_states',
  'pool_positions',
  'undo_pool_positions',
]

/** Columns of a token without the state of its audit, which does not depend on the chain alone. */
const tokenColumns = sql`(
  select chain_id, address, standard, first_block, metadata, attempts, failures, name, symbol, decimals from tokens
)`

/** Every row of the indexed tables as text, sorted, to compare two stores. */
export async function dumpTables({ db }: Store): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {}
  for (const table of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${table === 'tokens' ? tokenColumns : sql.table(table)} t order by 1`.execute(
      db,
    )
    dump[table] = rows.map(({ row }) => row)
  }
  const { rows } = await sql<{ row: string }>`
    select row(chain_id, genesis_hash, indexed_block, indexed_hash, indexed_time, synced_at is not null)::text
      as row from chains order by 1`.execute(db)
  dump['chains'] = rows.map(({ row }) => row)
  return dump
}
