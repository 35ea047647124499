import { type Kysely, sql } from 'kysely'
import type { Database } from './Database.ts'

/**
 * Disables the statement timeout of a session while a function runs.
 *
 * @param session - a single connection, which the function uses.
 */
export async function withoutStatementTimeout<T>(
  session: Kysely<Database>,
  run: () => Promise<T>,
): Promise<T> {
  const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(session)
  const setTimeout = (value: string) =>
    sql`select set_config('statement_timeout', ${value}, false)`.execute(session)
  await setTimeout('0')
  try {
    return await run()
  } finally {
    await setTimeout(rows[0]?.statement_timeout ?? '0')
  }
}
