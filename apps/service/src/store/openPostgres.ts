import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from './Database.ts'
import { parseSafeInteger } from './parseSafeInteger.ts'
import type { Store } from './Store.ts'

/** Opens a PostgreSQL server by its URL. Connections are made when they are needed. */
export function openPostgres(databaseUrl: string): Store {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    types: {
      getTypeParser: (oid, format) =>
        oid === pg.types.builtins.INT8 && format !== 'binary'
          ? parseSafeInteger
          : pg.types.getTypeParser(oid, format),
    },
  })
  // An idle connection that breaks is replaced at the next query, which tells its own fault; unheard, it would end us.
  pool.on('error', () => {})
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  return { db, kind: 'postgres', close: () => db.destroy() }
}
