import { type Kysely, type RawBuilder, sql } from 'kysely'
import { compareBigints, compareStrings } from '../../compare.ts'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'

/** Position of an NFT in the listing, and the content of its cursors: when it was acquired (unix seconds), and its identity. */
export type CollectibleSortKey = readonly [
  time: number,
  chainId: number,
  contract: string,
  tokenId: string,
]

/** An NFT of a wallet. */
export interface OwnedCollectible {
  readonly chainId: number
  /** Lower-case hex. */
  readonly contract: string
  /** Decimal integer. */
  readonly tokenId: string
  readonly amount: string
  /** Unix seconds of the block of the latest transfer in. */
  readonly time: number
}

/** Orders the latest acquired first, then by chain id, contract and token id. */
export function compareCollectibles(a: OwnedCollectible, b: OwnedCollectible): number {
  return (
    b.time - a.time ||
    a.chainId - b.chainId ||
    compareStrings(a.contract, b.contract) ||
    compareBigints(BigInt(a.tokenId), BigInt(b.tokenId))
  )
}

interface OwnedRow {
  contract: string
  token_id: string
  amount: string
  time: number
}

/**
 * Loads at least the next `limit` NFTs of a wallet on one chain after a key, unordered.
 *
 * The listing is ordered by time, the index by block, and blocks of a chain may have equal times. Of the second in which
 * the page ends, each block therefore returns up to `limit` rows. All later blocks together hold less than a page and
 * return all of theirs.
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
  // Contracts without NFTs may emit events of NFTs.
  const owned = sql`chain_id = ${id} and holder = ${fromHex(range.wallet)} and amount > 0
    and not exists (
      select from tokens where tokens.chain_id = ${id} and address = contract and not has_collectibles
    )`
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
      -- offset 0 enforces index lookups: the planner overestimates the rows and would scan all blocks.
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

/** Selects what follows a key among the NFTs that were acquired in its second. */
function follows(
  [, keyChain, contract, tokenId]: CollectibleSortKey,
  chainId: number,
): RawBuilder<unknown> {
  return chainId === keyChain
    ? sql`(contract, token_id) > (${fromHex(contract)}, ${tokenId}::numeric)`
    : sql`${chainId > keyChain}::boolean`
}
