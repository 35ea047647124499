import { sql } from 'kysely'

/** A holder of a token. Addresses in lower case. */
export interface Pair {
  readonly token: string
  readonly holder: string
}

/** A holder of a token, and what the ledger says that it has. */
export interface LedgerPair extends Pair {
  readonly amount: bigint
}

/** A row with the columns of {@link pairColumns}. */
export interface PairRow {
  readonly token: string
  readonly holder: string
  readonly amount: string
}

/** The columns of a pair, out of a query that has them as bytes and number. */
export const pairColumns = sql`'0x' || encode(token, 'hex') as token,
  '0x' || encode(holder, 'hex') as holder, amount::text as amount`

export function toPair({ token, holder, amount }: PairRow): LedgerPair {
  return { token, holder, amount: BigInt(amount) }
}

/** What tells pairs apart. */
export function keyOf({ token, holder }: Pair): string {
  return `${token} ${holder}`
}
