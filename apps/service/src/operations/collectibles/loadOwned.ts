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
 * Entries are ordered by time and found by block, and blocks of one chain may share a second. So all of the last second
 * come along: the page then holds whatever its order puts before its end.
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
  const owned = sql`chain_id = ${id} and holder = ${fromHex(range.wallet)} and amount > 0`
  /** First block of the second in which a block lies, or that comes after. */
  const firstOf = (time: RawBuilder<unknown>) => sql`
    (select number from blocks where chain_id = ${id} and time >= ${time} order by time, number limit 1)`
  const below = after
    ? sql`last_in_block < coalesce(${firstOf(sql`${after[0]}::bigint`)}, ${Number.MAX_SAFE_INTEGER}::bigint)`
    : sql`true`
  const { rows } = await sql<OwnedRow>`
    with edge as materialized (
      select last_in_block from collectible_balances
      where ${owned} and ${below}
      order by last_in_block desc offset ${range.limit - 1}::int limit 1
    ),
    start as materialized (
      select coalesce(
        ${firstOf(sql`(select time from blocks where chain_id = ${id} and number = (select last_in_block from edge))`)},
        -1) as block
    ),
    page as (
      select contract, token_id, amount, last_in_block from collectible_balances
      where ${owned} and ${below} and last_in_block >= (select block from start)
      ${after ? sql`union all ${sameSecond(owned, id, after, chainId)}` : sql``}
    )
    select '0x' || encode(page.contract, 'hex') as contract, page.token_id, page.amount, blocks.time
    from page join blocks on blocks.chain_id = ${id} and blocks.number = page.last_in_block`.execute(
    db,
  )
  return rows.map(({ contract, token_id, amount, time }) => ({
    chainId,
    contract,
    tokenId: token_id,
    amount,
    time,
  }))
}

/** What was acquired in the second of the key and comes after it. */
function sameSecond(
  owned: RawBuilder<unknown>,
  id: RawBuilder<unknown>,
  [time, keyChain, contract, tokenId]: CollectibleSortKey,
  chainId: number,
): RawBuilder<unknown> {
  const follows =
    chainId === keyChain
      ? sql`(contract, token_id) > (${fromHex(contract)}, ${tokenId}::numeric)`
      : sql`${chainId > keyChain}::boolean`
  return sql`
    select contract, token_id, amount, last_in_block from collectible_balances
    where ${owned} and ${follows} and last_in_block in (
      select number from blocks where chain_id = ${id} and time = ${time}::bigint)`
}
