import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../store/Database.ts'

/** Indexes that only answers and the reading of documents need, in statements that make nothing when the index is there. */
const indexes = {
  // Of all rows: the audit also asks of holders that have nothing, or less.
  holders_by_amount: `create index if not exists holders_by_amount
    on balances (chain_id, token, standard, amount desc, holder)`,
  collectibles_by_last_in: `create index if not exists collectibles_by_last_in
    on collectible_balances (chain_id, holder, last_in_block desc, contract, token_id)
    where amount > 0`,
  collectibles_fresh: `create index if not exists collectibles_fresh
    on collectibles (chain_id, contract, first_block desc)
    where metadata = 'pending' and retry_at is null and requested_at is null`,
} as const

/**
 * Makes the indexes that answers and the reading of documents need and the first indexing of a chain would be held up by, where they are missing.
 *
 * Each in a transaction of its own, since other chains go on being written: whoever holds two tables, and waits for one
 * of them, waits for ever.
 */
export async function createAnswerIndexes(
  db: Kysely<Database>,
  logger?: Pick<Logger, 'info'>,
): Promise<void> {
  for (const [name, statement] of Object.entries(indexes)) {
    // To look first spares the lock on the table.
    const { rows } = await sql<{ found: boolean }>`
      select to_regclass(${name}) is not null as found`.execute(db)
    if (rows[0]?.found) continue
    // On a large store it takes minutes, in which nothing else is heard of the chain.
    logger?.info({ index: name }, 'making an index for answers')
    await db.transaction().execute(async (transaction) => {
      // It may take longer than any statement of an answer may.
      await sql`set local statement_timeout = 0`.execute(transaction)
      await sql.raw(statement).execute(transaction)
    })
    logger?.info({ index: name }, 'made the index')
  }
}
