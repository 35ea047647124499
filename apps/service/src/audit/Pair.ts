import { sql } from 'kysely'

/** A holder of a token. Addresses in lower case. */
export interface Pair {
  readonly token: string
  readonly holder: string
}

/** A holder of a token, and its amount in the ledger. */
export interface LedgerPair extends Pair {
  readonly amount: bigint
}

/** A row with the columns of {@link pairColumns}. */
export interface PairRow {
  readonly token: string
  readonly holder: string
  readonly amount: string
}

/** Converts the columns `token`, `holder` and `amount` of a query to those of a {@link PairRow}. */
export const pairColumns = sql`'0x' || encode(token, 'hex') as token,
  '0x' || encode(holder, 'hex') as holder, amount::text as amount`

export function toPair({ token, holder, amount }: PairRow): LedgerPair {
  return { token, holder, amount: BigInt(amount) }
}

/** The identity of a pair, for maps. */
export function keyOf({ token, holder }: Pair): string {
  return `${token} ${holder}`
}
