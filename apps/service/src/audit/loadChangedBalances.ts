import { randomBytes } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { AuditedBlock } from './AuditedBlock.ts'
import {
  balanceColumns,
  type BalanceRow,
  type LedgerBalance,
  toLedgerBalance,
} from './LedgerBalance.ts'

/** Limit of the changed rows that are read, from a random address on, as a block may have any number of transfers. */
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
  const changed = sql`
    select holder, token, amount from undo_balances
    where chain_id = ${chainId}::bigint and standard = 20
      and block_number > ${seenBlock}::bigint and block_number <= ${number}::bigint`
  const pivot = randomBytes(20)
  const page = sql`order by block_number desc limit ${sql.lit(maxRows)}`
  // As in `loadLedgerBalances`, lateral joins with limit 1 force an index lookup per change.
  const { rows } = await sql<BalanceRow>`
    with image as materialized (
      (${changed} and holder >= ${pivot} ${page})
      union all
      (${changed} and holder < ${pivot} ${page})
      limit ${sql.lit(maxRows)}
    )
    select ${balanceColumns} from (
      select image.token, image.holder, held.amount, token.audited_block,
        row_number() over (
          partition by image.token, held.amount > coalesce(image.amount, 0) order by random()
        ) as position
      from image
      cross join lateral (
        select audited_block from tokens
        where chain_id = ${chainId}::bigint and address = image.token
          and standard = 20 and amounts_from = 'ledger'
        limit 1
      ) token
      cross join lateral (
        select amount from balances
        where chain_id = ${chainId}::bigint and holder = image.holder
          and token = image.token and standard = 20
        limit 1
      ) held
    ) changed
    where position = 1
    order by audited_block >= 0, random() limit ${sql.lit(limit)}`.execute(snapshot)
  return rows.map(toLedgerBalance)
}
