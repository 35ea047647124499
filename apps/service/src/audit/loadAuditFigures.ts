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
  /** Events that exceeded a limit and were not applied; at most `maxSkipped`. */
  readonly skippedEvents: number
}

/** Counting stops here, as anyone can emit such events. */
const maxSkipped = 10_000

/** Loads the figures of all chains. */
export async function loadAuditFigures(db: Kysely<Database>): Promise<AuditFigures[]> {
  const rows = await db
    .selectFrom('chains')
    .leftJoin('audits', 'audits.chain_id', 'chains.chain_id')
    .select((from) => [
      'chains.chain_id',
      'checked',
      'mismatched',
      from
        .selectFrom('tokens')
        .whereRef('tokens.chain_id', '=', 'chains.chain_id')
        .where('amounts_from', '=', 'chain')
        .select(sql<number>`count(*)::int`.as('count'))
        .as('tokens'),
      sql<number>`(
        select count(*)::int from (
          select from skipped_events where skipped_events.chain_id = chains.chain_id
          limit ${sql.lit(maxSkipped)}
        ) counted
      )`.as('skipped'),
    ])
    .orderBy('chains.chain_id')
    .execute()
  return rows.map(({ chain_id, checked, mismatched, tokens, skipped }) => ({
    chainId: Number(chain_id),
    checked: checked ?? 0,
    mismatched: mismatched ?? 0,
    tokensReadFromChain: tokens ?? 0,
    skippedEvents: skipped,
  }))
}
