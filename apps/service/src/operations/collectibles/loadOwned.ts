import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import type { CollectibleSortKey, OwnedCollectible } from './OwnedCollectible.ts'

interface OwnedRow {
  contract: string
  token_id: string
  amount: string
  time: number
}

/**
 * Loads what a wallet owns on one chain, of all that follow a key at least the next `limit`, in no order.
 *
 * Entries are ordered by time and found by block, and blocks of one chain may share a second. So of the second in which
 * the page ends each block gives as many as the page may need, and of all others everything: as the page ends later,
 * that is less than a page.
 */
export async function loadOwned(
  db: Kysely<Database>,
  range: {
    readonly chainId: number
    readonly wallet: string
    readonly after: CollectibleSortKey | undefined
    readonly limit: number
  },
): Promise<OwnedCollectible[]> {
  const { chainId, after } = range
  const id = sql`${chainId}::bigint`
  const limit = sql`${range.limit}::int`
  const owned = sql`chain_id = ${id} and holder = ${fromHex(range.wallet)} and amount > 0`
  const below = after
    ? sql`last_in_block < coalesce((
        select number from blocks where chain_id = ${id} and time >= ${after[0]}::bigint
        order by time, number limit 1), ${Number.MAX_SAFE_INTEGER}::bigint)`
    : sql`true`
  const inSecond = (time: RawBuilder<unknown>, follows: RawBuilder<unknown>) => sql`
    select found.* from blocks cross join lateral (
      select contract, token_id, amount, last_in_block from collectible_balances
      where ${owned} and ${follows} and last_in_block = blocks.number
      order by contract, token_id limit ${limit}
    ) as found
    where blocks.chain_id = ${id} and blocks.time = ${time}`
  const { rows } = await sql<OwnedRow>`
    with edge as materialized (
      select time from blocks where chain_id = ${id} and number = (
        select last_in_block from collectible_balances where ${owned} and ${below}
        order by last_in_block desc offset ${limit} - 1 limit 1)
    ),
    page as (
      select contract, token_id, amount, last_in_block from collectible_balances
      where ${owned} and ${below} and last_in_block > coalesce((
        select number from blocks where chain_id = ${id} and time <= (select time from edge)
        order by time desc, number desc limit 1), -1)
      union all ${inSecond(sql`(select time from edge)`, sql`true`)}
      ${after ? sql`union all ${inSecond(sql`${after[0]}::bigint`, follows(after, chainId))}` : sql``}
    )
    select '0x' || encode(page.contract, 'hex') as contract, page.token_id, page.amount, block.time
    from page cross join lateral (
      -- Looked up one by one: the planner, who cannot know how few they are, would read all blocks.
      select time from blocks where chain_id = ${id} and number = page.last_in_block offset 0
    ) as block`.execute(db)
  return rows.map(({ contract, token_id, amount, time }) => ({
    chainId,
    contract,
    tokenId: token_id,
    amount,
    time,
  }))
}

/** Of what was acquired in the second of a key, that which comes after it. */
function follows(
  [, keyChain, contract, tokenId]: CollectibleSortKey,
  chainId: number,
): RawBuilder<unknown> {
  return chainId === keyChain
    ? sql`(contract, token_id) > (${fromHex(contract)}, ${tokenId}::numeric)`
    : sql`${chainId > keyChain}::boolean`
}
