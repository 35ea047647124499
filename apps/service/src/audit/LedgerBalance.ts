import { sql } from 'kysely'

/** A holder of a token. Addresses in lower case. */
export interface TokenHolder {
  readonly token: string
  readonly holder: string
}

/** A holder of a token, and its amount in the ledger. */
export interface LedgerBalance extends TokenHolder {
  readonly amount: bigint
}

/** A row with the columns of {@link balanceColumns}. */
export interface BalanceRow {
  readonly token: string
  readonly holder: string
  readonly amount: string
}

/** Converts the columns `token`, `holder` and `amount` of a query to those of a {@link BalanceRow}. */
export const balanceColumns = sql`'0x' || encode(token, 'hex') as token,
  '0x' || encode(holder, 'hex') as holder, amount::text as amount`

/** Parses the amount of a row. */
export function toLedgerBalance({ token, holder, amount }: BalanceRow): LedgerBalance {
  return { token, holder, amount: BigInt(amount) }
}

/** The identity of a holder of a token, for maps. */
export function getTokenHolderKey({ token, holder }: TokenHolder): string {
  return `${token} ${holder}`
}
