import { type Kysely, sql } from 'kysely'
import type { Logger } from 'pino'
import type { Database } from '../store/Database.ts'
import { createAnswerIndexes } from './createAnswerIndexes.ts'

const answeredTables = [
  ...['balances', 'blocks', 'collectible_balances', 'collectible_sales', 'collectibles'],
  ...['pool_states', 'pools', 'tokens'],
]

/**
 * Makes the tables fit for answers when the first indexing of a chain is done: makes the indexes, and tells the planner
 * what is in the tables, at which the embedded database never looks by itself.
 */
export async function prepareAnswers(
  db: Kysely<Database>,
  logger?: Pick<Logger, 'info'>,
): Promise<void> {
  await createAnswerIndexes(db, logger)
  for (const table of answeredTables) await sql`analyze ${sql.table(table)}`.execute(db)
}
