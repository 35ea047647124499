import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'

/** The figures of a chain's audit. */
export interface AuditFigures {
  readonly chainId: number
  /** Amounts of the ledger that were compared with `balanceOf`. */
  readonly checked: number
  /** How many of them were wrong. At most one per token, as its amounts are read from the chain afterwards. */
  readonly mismatched: number
  /** Tokens with amounts that are currently read from the chain. */
  readonly tokensReadFromChain: number
}

/** Loads the figures of all audited chains. */
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
