import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'
import { holderBucket, isHolder } from '../../store/holderKey.ts'

/** Position of a holder in the listing, and the content of its cursors. */
export type HolderKey = readonly [amount: string, holder: string]

/** A holder with its balance from the ledger or from the audit. */
export interface HolderRow {
  /** Lower-case hex. */
  readonly holder: string
  /** Positive integer. */
  readonly amount: string
  /** Unix seconds of the block of the first transfer in; null if the ledger has none. */
  readonly first_in_time: number | null
  /** Null while it is unknown. */
  readonly has_initiated: boolean | null
  /** Block at which the amount was read from the chain; null for one from the ledger, which is at the head. */
  readonly read_block: number | null
}

/**
 * Loads the holders after a key, by amount descending and then by address.
 *
 * The index of the ledger orders holders by rank, a coarse logarithm of the amount, and then by the first bytes of their
 * addresses. The holders of a rank are sorted when the page needs them; those with the amount of the key are a range of the
 * index, so that a page costs the same however many holders have equal amounts. Ranks above 0 are those of amounts above 0, so
 * that it reads no accounts which have spent all that they had. The history of a holder comes from the ledger, also where its
 * amount comes from the audit.
 */
export async function loadHolders(
  db: Kysely<Database>,
  range: {
    readonly chainId: number
    readonly token: string
    /** The token as the rows of balances contain it. */
    readonly ledgerToken: number
    readonly amountsFrom: 'ledger' | 'chain'
    readonly after: HolderKey | undefined
    readonly limit: number
  },
): Promise<HolderRow[]> {
  const { chainId, after } = range
  const limit = sql.lit(range.limit)
  const address = sql`${fromHex(range.token)}::bytea`
  const isInLedger = sql`chain_id = ${chainId}::bigint and token = ${range.ledgerToken}::int`
  const held =
    range.amountsFrom === 'ledger'
      ? sql`
        select holder, amount, first_in_block, initiated_block, null::bigint as read_block
        from balances where ${isInLedger} and rank > 0`
      : sql`select holder, amount, block_number as read_block
        from chain_amounts where chain_id = ${chainId}::bigint and token = ${address} and amount > 0`
  const page =
    range.amountsFrom === 'ledger'
      ? selectRankedPage(held, after, limit)
      : selectHolderPage(held, after, limit)
  const withHistory =
    range.amountsFrom === 'ledger'
      ? page
      : sql`
        select read.holder, read.amount, first_in_block, initiated_block, read_block
        from (${page}) as read
        left join balances ledger
          on ${isInLedger} and ${isHolder(sql`ledger.holder`, sql`read.holder`)}`
  const { rows } = await sql<HolderRow>`
    select '0x' || encode(page.holder, 'hex') as holder, page.amount,
      blocks.time as first_in_time, page.initiated_block is not null as has_initiated,
      page.read_block
    from (${withHistory}) as page
    left join blocks on blocks.chain_id = ${chainId}::bigint and blocks.number = page.first_in_block
    order by page.amount desc, page.holder`.execute(db)
  return rows
}

/** Selects a page by an index of amounts. */
export function selectHolderPage(
  held: RawBuilder<unknown>,
  after: HolderKey | undefined,
  limit: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!after) {
    return sql`${held} order by amount desc, holder limit ${limit}`
  }
  return sql`
    (${held} and amount = ${after[0]}::numeric and holder > ${fromHex(after[1])}
      order by holder limit ${limit})
    union all
    (${held} and amount < ${after[0]}::numeric order by amount desc, holder limit ${limit})
    limit ${limit}`
}

/** Selects a page by the index of ranks. The order by rank and amount is that by amount. */
function selectRankedPage(
  held: RawBuilder<unknown>,
  after: HolderKey | undefined,
  limit: RawBuilder<unknown>,
): RawBuilder<unknown> {
  if (!after) {
    return sql`${held} order by rank desc, amount desc, holder limit ${limit}`
  }
  const amount = sql`${after[0]}::numeric`
  const rank = sql`amount_rank(${amount})`
  const last = sql`${fromHex(after[1])}::bytea`
  const bucket = holderBucket(sql`holder`)
  return sql`
    (${held} and rank = ${rank} and amount = ${amount}
      and ${bucket} >= ${holderBucket(last)} and holder > ${last}
      order by ${bucket}, holder limit ${limit})
    union all
    (${held} and rank = ${rank} and amount < ${amount} order by amount desc, holder limit ${limit})
    union all
    (${held} and rank < ${rank} order by rank desc, amount desc, holder limit ${limit})
    limit ${limit}`
}
