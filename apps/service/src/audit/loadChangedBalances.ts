import { type Kysely, sql } from 'kysely'
import { balancesTable, selectImages } from '../indexing/undo/undoTables.ts'
import type { Database } from '../store/Database.ts'
import { isHolder } from '../store/holderKey.ts'
import type { AuditedBlock } from './AuditedBlock.ts'
import {
  balanceColumns,
  type BalanceRow,
  type LedgerBalance,
  toLedgerBalance,
} from './LedgerBalance.ts'

/** Limit of the blocks with changes, the latest ones, and of the random changes among these that are looked up. */
const maxBlocks = 32
const maxRows = 500

/**
 * Loads holders with amounts that changed after a block: of each token a random recipient and sender, those of tokens
 * never audited first. Exactly these amounts reveal fees on transfer and events without a transfer.
 */
export async function loadChangedBalances(
  snapshot: Kysely<Database>,
  { chainId, number }: AuditedBlock,
  seenBlock: number,
  limit: number,
): Promise<LedgerBalance[]> {
  if (limit <= 0) {
    return []
  }
  const range = { chainId, above: seenBlock, upTo: number, maxBlocks }
  // As in `loadLedgerBalances`, lateral joins with limit 1 force an index lookup per change.
  const { rows } = await sql<BalanceRow>`
    with image as materialized (
      select holder, token, amount from (${selectImages(balancesTable, range)}) image
      where token > 0 order by random() limit ${sql.lit(maxRows)}
    )
    select ${balanceColumns} from (
      select token.address as token, image.holder, held.amount, token.audited_block,
        row_number() over (
          partition by image.token, held.amount > coalesce(image.amount, 0) order by random()
        ) as position
      from image
      cross join lateral (
        select address, audited_block from tokens
        where chain_id = ${chainId}::bigint and id = image.token
          and standard = 20 and amounts_from = 'ledger'
        limit 1
      ) token
      cross join lateral (
        select amount from balances
        where chain_id = ${chainId}::bigint and token = image.token
          and ${isHolder(sql`holder`, sql`image.holder`)}
        limit 1
      ) held
    ) changed
    where position = 1
    order by audited_block >= 0, random() limit ${sql.lit(limit)}`.execute(snapshot)
  return rows.map(toLedgerBalance)
}
