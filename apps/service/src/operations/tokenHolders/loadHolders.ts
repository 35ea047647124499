import { type Kysely, sql } from 'kysely'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'

/** Where a listing of holders stands: the amount and the address of its last entry. */
export type HolderKey = readonly [amount: string, holder: string]

/** A holder as the ledger has it. */
export interface HolderRow {
  /** Lower-case hex. */
  readonly holder: string
  /** Whole number above zero. */
  readonly amount: string
  /** Unix seconds of the block of the first transfer in; null when the ledger saw none. */
  readonly first_in_time: number | null
  readonly has_initiated: boolean
}

/**
 * Loads the holders that follow a key, by amount downwards and then by address.
 *
 * Those who hold as much as the key and those who hold less are two ranges of one index, so that a page costs the same
 * wherever it is and however many hold alike.
 */
export async function loadHolders(
  db: Kysely<Database>,
  range: {
    readonly chainId: number
    readonly token: string
    readonly standard: number
    readonly after: HolderKey | undefined
    readonly limit: number
  },
): Promise<HolderRow[]> {
  const { chainId, after } = range
  const limit = sql.lit(range.limit)
  const held = sql`
    select holder, amount, first_in_block, initiated_block from balances
    where chain_id = ${chainId}::bigint and token = ${fromHex(range.token)}
      and standard = ${sql.lit(range.standard)} and amount > 0`
  const page = after
    ? sql`
      (${held} and amount = ${after[0]}::numeric and holder > ${fromHex(after[1])}
        order by holder limit ${limit})
      union all
      (${held} and amount < ${after[0]}::numeric order by amount desc, holder limit ${limit})
      limit ${limit}`
    : sql`${held} order by amount desc, holder limit ${limit}`
  const { rows } = await sql<HolderRow>`
    select '0x' || encode(page.holder, 'hex') as holder, page.amount,
      blocks.time as first_in_time, page.initiated_block is not null as has_initiated
    from (${page}) as page
    left join blocks on blocks.chain_id = ${chainId}::bigint and blocks.number = page.first_in_block
    order by page.amount desc, page.holder`.execute(db)
  return rows
}
