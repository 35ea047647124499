import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import { fromHex } from '../store/hex.ts'
import { holderBucket } from '../store/holderKey.ts'
import { ledgerToken } from '../store/ledgerToken.ts'
import type { LedgerBalance } from './LedgerBalance.ts'

/** Small enough not to block the store for long. */
const pageSize = 500
/** Limit of the pages per round, as all holders of all tokens are listed after a long absence. */
const maxPages = 10

/** How far the holders of a token are queued. */
export interface ListPosition {
  /** The last holder that was queued. */
  readonly last: LedgerBalance
  /** Whether they are listed once more from the first, as holders may be missing among those before. */
  isRepeated: boolean
}

/**
 * Queues holders of tokens with amounts read from the chain: of each token the next page, and further pages as long as the
 * limit allows.
 *
 * @param tokens - with holders that are not all queued yet; more than the limit are ignored.
 * @param positions - by token, how far its holders are queued. Updated.
 * @param isListedAgain - whether holders may be missing among those that were queued before.
 */
export async function queueHolders(
  db: Kysely<Database>,
  chainId: number,
  tokens: readonly string[],
  positions: Map<string, ListPosition>,
  isListedAgain: boolean,
): Promise<void> {
  for (const [token, position] of positions) {
    position.isRepeated ||= isListedAgain
    // Its audit was reset: when it is switched again, all its holders are queued.
    if (!tokens.includes(token)) {
      positions.delete(token)
    }
  }
  const pending = [...tokens]
  for (let page = 0; page < maxPages; page++) {
    const token = pending.shift()
    if (token === undefined) {
      return
    }
    const { last: after, isRepeated = false } = positions.get(token) ?? {}
    const last = await queuePage(db, chainId, token, after)
    if (last) {
      positions.set(token, { last, isRepeated })
    } else {
      positions.delete(token)
    }
    if (last || isRepeated) {
      pending.push(token)
    } else {
      await markListed(db, chainId, token)
    }
  }
}

async function markListed(db: Kysely<Database>, chainId: number, token: string): Promise<void> {
  await db
    .updateTable('tokens')
    .set({ holders_listed: true })
    .where('chain_id', '=', chainId)
    .where('address', '=', fromHex(token))
    .execute()
}

/**
 * Copies the next page of a token's holders from the ledger to `chain_amounts`, to be read from the chain; holders with
 * an amount of zero too. `trackHolders` adds holders with amounts that change meanwhile.
 *
 * @param after - the last holder of the previous page; undefined for the first page.
 * @returns the last holder of this page; undefined when it was the last page.
 */
async function queuePage(
  db: Kysely<Database>,
  chainId: number,
  token: string,
  after: LedgerBalance | undefined,
): Promise<LedgerBalance | undefined> {
  // The planner estimates the holders of a token that it knows.
  const { ledger_token } = await db
    .selectFrom('tokens')
    .select(ledgerToken.as('ledger_token'))
    .where('chain_id', '=', chainId)
    .where('address', '=', fromHex(token))
    .executeTakeFirstOrThrow()
  const held = sql`
    select holder, amount, rank from balances
    where chain_id = ${chainId}::bigint and token = ${ledger_token}::int`
  const bucket = holderBucket(sql`holder`)
  const page = sql`order by rank desc, ${bucket}, holder limit ${sql.lit(pageSize)}`
  const last = after && sql`${fromHex(after.holder)}::bytea`
  const rank = after && sql`amount_rank(${after.amount.toString()}::numeric)`
  const range = last
    ? sql`select * from (
        (${held} and rank = ${rank} and ${bucket} >= ${holderBucket(last)} and holder > ${last} ${page})
        union all
        (${held} and rank < ${rank} ${page})
      ) following ${page}`
    : sql`${held} ${page}`
  const { rows } = await sql<{ holder: string; amount: string; count: number }>`
    with page as materialized (${range}),
    inserted as (
      insert into chain_amounts (chain_id, token, holder, is_notable)
      select ${chainId}::bigint, ${fromHex(token)}, holder, (
        select is_notable from tokens
        where chain_id = ${chainId}::bigint and address = ${fromHex(token)}
      ) from page
      on conflict (chain_id, token, holder) do update set is_notable = excluded.is_notable
        where chain_amounts.is_notable <> excluded.is_notable
    )
    select '0x' || encode(holder, 'hex') as holder, amount::text as amount,
      (count(*) over ())::int as count
    from page order by page.rank, page.holder desc limit 1`.execute(db)
  const end = rows[0]
  return end && end.count === pageSize
    ? { token, holder: end.holder, amount: BigInt(end.amount) }
    : undefined
}
