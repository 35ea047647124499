import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'

/** What the audit of a chain came to. */
export interface AuditFigures {
  readonly chainId: number
  /** Amounts of the ledger that were compared with `balanceOf`. */
  readonly checked: number
  /** How many of them were wrong: one a token, which is read from the chain then. */
  readonly mismatched: number
  /** Tokens whose amounts are read from the chain now. */
  readonly tokensReadFromChain: number
}

/** Loads what the audit of every chain came to, as far as there was one. */
export async function loadAuditFigures(db: Kysely<Database>): Promise<AuditFigures[]> {
  const rows = await db
    .selectFrom('audits')
    .select((from) => [
      'chain_id',
      'checked',
      'mismatched',
      from
        .selectFrom('tokens')
        .whereRef('tokens.chain_id', '=', 'audits.chain_id')
        .where('amounts_from', '=', 'chain')
        .select(sql<number>`count(*)::int`.as('count'))
        .as('tokens'),
    ])
    .orderBy('chain_id')
    .execute()
  return rows.map(({ chain_id, checked, mismatched, tokens }) => ({
    chainId: Number(chain_id),
    checked,
    mismatched,
    tokensReadFromChain: tokens ?? 0,
  }))
}
