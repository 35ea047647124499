import { type Kysely, sql } from 'kysely'
import type { Database } from './Database.ts'

/** Runs a function with a single connection, whose statement timeout is disabled meanwhile. */
export async function withoutStatementTimeout<T>(
  db: Kysely<Database>,
  run: (session: Kysely<Database>) => Promise<T>,
): Promise<T> {
  return await db.connection().execute(async (session) => {
    const setTimeout = (value: string) =>
      sql`select set_config('statement_timeout', ${value}, false)`.execute(session)
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(
      session,
    )
    await setTimeout('0')
    try {
      return await run(session)
    } finally {
      await setTimeout(rows[0]?.statement_timeout ?? '0')
    }
  })
}
