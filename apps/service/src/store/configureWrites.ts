import { type Kysely, sql } from 'kysely'
import type { Database } from './Database.ts'

/**
 * Configures a transaction that writes or undoes blocks. All its statements find rows by their keys in indexes: without
 * statistics, as in the initial indexing, the planner would read whole tables instead.
 */
export async function configureWrites(
  transaction: Kysely<Database>,
  timeout: string,
): Promise<void> {
  await sql`
    select set_config('statement_timeout', ${timeout}, true),
      set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true)`.execute(
    transaction,
  )
}
