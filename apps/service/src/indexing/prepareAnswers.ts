import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../store/Database.ts'
import { alonePreparing } from './alonePreparing.ts'
import { createMissingIndexes } from './createAnswerIndexes.ts'

const answeredTables = [
  ...['balances', 'blocks', 'collectible_balances', 'collectible_sales', 'collectibles'],
  ...['pool_states', 'pools', 'tokens'],
]

/**
 * Makes the tables fit for answers when the first indexing of a chain is done: makes the indexes, and tells the planner
 * what is in the tables, at which the embedded database never looks by itself.
 *
 * @throws what the signal aborts with, while another process does so.
 */
export async function prepareAnswers(
  db: Kysely<Database>,
  logger?: Pick<Logger, 'info'>,
  signal?: AbortSignal,
): Promise<void> {
  await alonePreparing(
    db,
    async (session) => {
      await createMissingIndexes(session, logger)
      for (const table of answeredTables) await sql`analyze ${sql.table(table)}`.execute(session)
    },
    signal,
  )
}
