import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../src/store/Database.ts'
import type { Store } from '../src/store/Store.ts'

/** Tables that indexing writes. */
type IndexedTable = Exclude<keyof Database, 'chains' | 'keys' | 'secrets'>

const tables: readonly IndexedTable[] = [
  'blocks',
  'tokens',
  'undo_token_events',
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
  'pool_ranks',
  'unread_pools',
  'pool_positions',
  'undo_pool_positions',
]

/** Columns of a token without the state of its audit, which does not depend on the chain alone. */
const tokenColumns = sql`(
  select chain_id, address, standard, events, first_block, metadata, attempts, failures, name, symbol, decimals from tokens
)`

/** Ids of tokens depend on when these were inserted. */
const tokenAddress = (row: string) => sql`(
  select sign(${sql.ref(`${row}.token`)}) || encode(address, 'hex') from tokens
  where tokens.chain_id = ${sql.ref(`${row}.chain_id`)} and id = abs(${sql.ref(`${row}.token`)})
)`

/** What the rows of a table are compared by. */
const sources: Partial<Record<IndexedTable, RawBuilder<unknown>>> = {
  tokens: tokenColumns,
  balances: sql`(
    select chain_id, holder, ${tokenAddress('held')}, rank, amount, first_in_block, initiated_block
    from balances held
  )`,
  undo_balances: sql`(
    select chain_id, block_number, part, existed, holder, ${tokenAddress('image')}, amount, first_in_block,
      initiated_block
    from (
      select chain_id, block_number, part, image.* from undo_balances packed
      cross join lateral unnest(packed.existed, packed.holder, packed.token, packed.amount,
        packed.first_in_block, packed.initiated_block) as image (existed, holder, token, amount, first_in_block, initiated_block)
    ) image
  )`,
}

/** Every row of the indexed tables as text, sorted, to compare two stores. */
export async function dumpTables({ db }: Store): Promise<Record<string, string[]>> {
  const dump: Record<string, string[]> = {}
  for (const table of tables) {
    const { rows } = await sql<{ row: string }>`
      select t::text as row from ${sources[table] ?? sql.table(table)} t order by 1`.execute(db)
    dump[table] = rows.map(({ row }) => row)
  }
  const { rows } = await sql<{ row: string }>`
    select row(chain_id, genesis_hash, indexed_block, indexed_hash, indexed_time, synced_at is not null)::text
      as row from chains order by 1`.execute(db)
  dump['chains'] = rows.map(({ row }) => row)
  return dump
}
