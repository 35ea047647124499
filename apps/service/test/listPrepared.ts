import { type Kysely, sql } from 'kysely'
import { expect } from 'vitest'
import type { Database } from '../src/store/Database.ts'
import { prepared } from '../src/store/prepared.ts'

/** Executes a `prepared` statement twice with a connection. @returns the names of the statements that are prepared since. */
export async function listPrepared(db: Kysely<Database>): Promise<string[]> {
  return await db.connection().execute(async (connection) => {
    for (const value of ['a', 'b']) {
      const statement = sql`${prepared('probe')} select ${value}::text as value`
      expect((await statement.execute(connection)).rows).toEqual([{ value }])
    }
    const { rows } = await sql<{ name: string }>`select name from pg_prepared_statements`.execute(
      connection,
    )
    return rows.map(({ name }) => name)
  })
}
