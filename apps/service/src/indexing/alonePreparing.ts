import { setTimeout as delay } from 'node:timers/promises'
import { type Kysely, PGliteAdapter, sql } from 'kysely'
import type { Database } from '../store/Database.ts'

/** How often it is looked whether the others are done. */
const retryMs = 200
const lock = sql`hashtextextended('headwater answer indexes', 0)`

/** Whether the database belongs to this process, and has one session. */
export function isEmbedded(db: Kysely<Database>): boolean {
  return db.getExecutor().adapter instanceof PGliteAdapter
}

/**
 * Lets one process at a time, and one chain of it, make indexes or gather statistics: two at once would wait for each other for ever.
 * Its statements may take as long as they do.
 *
 * @throws what the signal aborts with, while others are waited for.
 */
export async function alonePreparing(
  db: Kysely<Database>,
  work: (db: Kysely<Database>) => Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  // There is nobody else, and between two statements others may have the session.
  if (isEmbedded(db)) return await work(db)
  await db.connection().execute(async (session) => {
    // Whoever waited within a statement would be waited for by the index that is made meanwhile.
    const take = sql<{ held: boolean }>`select pg_try_advisory_lock(${lock}) as held`
    while (!(await take.execute(session)).rows[0]?.held)
      await delay(retryMs, undefined, { ...(signal && { signal }) })
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(
      session,
    )
    const bound = (value: string) =>
      sql`select set_config('statement_timeout', ${value}, false)`.execute(session)
    try {
      await bound('0')
      await work(session)
    } finally {
      await bound(rows[0]?.statement_timeout ?? '0')
      await sql`select pg_advisory_unlock(${lock})`.execute(session)
    }
  })
}
