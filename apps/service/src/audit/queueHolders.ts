import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import { fromHex } from '../store/hex.ts'
import type { LedgerBalance } from './LedgerBalance.ts'

/** Small enough not to block the store for long. */
const pageSize = 500

/**
 * Copies the next page of a token's holders from the ledger to `chain_amounts`, to be read from the chain; holders with
 * an amount of zero too. `trackHolders` adds holders with amounts that change meanwhile.
 *
 * @param after - the last holder of the previous page; undefined for the first page.
 * @returns the last holder of this page; undefined when it was the last page.
 */
export async function queueHolders(
  db: Kysely<Database>,
  chainId: number,
  token: string,
  after: LedgerBalance | undefined,
): Promise<LedgerBalance | undefined> {
  const held = sql`
    select holder, amount, rank from balances
    where chain_id = ${chainId}::bigint and token = ${fromHex(token)} and standard = (
      -- The transfers of a token with an indexed amount have the shape of ERC721.
      select case when events & 3 = 2 then 721 else 20 end from tokens
      where chain_id = ${chainId}::bigint and address = ${fromHex(token)}
    )`
  const page = sql`order by rank desc, holder limit ${sql.lit(pageSize)}`
  const rank = after && sql`amount_rank(${after.amount.toString()}::numeric)`
  const range = after
    ? sql`select * from (
        (${held} and rank = ${rank} and holder > ${fromHex(after.holder)} ${page})
        union all
        (${held} and rank < ${rank} ${page})
      ) following ${page}`
    : sql`${held} ${page}`
  const { rows } = await sql<{ holder: string; amount: string; count: number }>`
    with page as materialized (${range}),
    inserted as (
      insert into chain_amounts (chain_id, token, holder)
      select ${chainId}::bigint, ${fromHex(token)}, holder from page
      on conflict do nothing
    )
    select '0x' || encode(holder, 'hex') as holder, amount::text as amount,
      (count(*) over ())::int as count
    from page order by page.rank, page.holder desc limit 1`.execute(db)
  const last = rows[0]
  if (last && last.count === pageSize) {
    return { token, holder: last.holder, amount: BigInt(last.amount) }
  }
  await db
    .updateTable('tokens')
    .set({ holders_listed: true })
    .where('chain_id', '=', chainId)
    .where('address', '=', fromHex(token))
    .execute()
  return undefined
}
