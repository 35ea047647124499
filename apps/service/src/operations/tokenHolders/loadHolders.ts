import { type Kysely, sql } from 'kysely'
import type { Database } from '../../store/Database.ts'
import { fromHex } from '../../store/hex.ts'

/** Where a listing of holders stands: the amount and the address of its last entry. */
export type HolderKey = readonly [amount: string, holder: string]

/** A holder as the ledger, or the audit of it, has it. */
export interface HolderRow {
  /** Lower-case hex. */
  readonly holder: string
  /** Whole number above zero. */
  readonly amount: string
  /** Unix seconds of the block of the first transfer in; null when the ledger saw none. */
  readonly first_in_time: number | null
  readonly has_initiated: boolean
  /** Block at which the amount was read from the chain; null for one of the ledger, which is of the head. */
  readonly read_block: number | null
}

/**
 * Loads the holders that follow a key, by amount downwards and then by address.
 *
 * Those who hold as much as the key and those who hold less are two ranges of one index, so that a page costs the same
 * wherever it is and however many hold alike. The amounts of a token that is read from the chain are those that the audit
 * read last; who came when, and moved, the ledger tells of all tokens.
 */
export async function loadHolders(
  db: Kysely<Database>,
  range: {
    readonly chainId: number
    readonly token: string
    readonly standard: number
    readonly amountsFrom: 'ledger' | 'chain'
    readonly after: HolderKey | undefined
    readonly limit: number
  },
): Promise<HolderRow[]> {
  const { chainId, after } = range
  const limit = sql.lit(range.limit)
  const ofToken = sql`chain_id = ${chainId}::bigint and token = ${fromHex(range.token)}`
  const ofStandard = sql`standard = ${sql.lit(range.standard)}`
  const held =
    range.amountsFrom === 'ledger'
      ? sql`
        select holder, amount, first_in_block, initiated_block, null::bigint as read_block
        from balances where ${ofToken} and ${ofStandard} and amount > 0`
      : sql`select holder, amount, block_number as read_block
        from chain_amounts where ${ofToken} and amount > 0`
  const page = after
    ? sql`
      (${held} and amount = ${after[0]}::numeric and holder > ${fromHex(after[1])}
        order by holder limit ${limit})
      union all
      (${held} and amount < ${after[0]}::numeric order by amount desc, holder limit ${limit})
      limit ${limit}`
    : sql`${held} order by amount desc, holder limit ${limit}`
  const whole =
    range.amountsFrom === 'ledger'
      ? page
      : sql`
        select read.holder, read.amount, first_in_block, initiated_block, read_block
        from (${page}) as read
        left join (select * from balances where ${ofToken} and ${ofStandard}) as ledger
          on ledger.holder = read.holder`
  const { rows } = await sql<HolderRow>`
    select '0x' || encode(page.holder, 'hex') as holder, page.amount,
      blocks.time as first_in_time, page.initiated_block is not null as has_initiated,
      page.read_block
    from (${whole}) as page
    left join blocks on blocks.chain_id = ${chainId}::bigint and blocks.number = page.first_in_block
    order by page.amount desc, page.holder`.execute(db)
  return rows
}
