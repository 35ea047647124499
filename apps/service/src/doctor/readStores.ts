import { Kysely, PostgresDialect, sql } from 'kysely'
import { sendCommandToService } from '../commands/sendCommandToService.ts'
import type { Config } from '../config/Config.ts'
import { createPostgresPool } from '../store/createPostgresPool.ts'
import type { Database } from '../store/Database.ts'
import { groupByDatabase } from '../store/openStores.ts'

/**
 * Reads rows of all databases. The embedded one is only readable while the service runs. That a database cannot be read is
 * reported by `checkStore`.
 *
 * @param command - the command of a running service that returns the same rows as JSON.
 * @param table - one of the tables, without which a database has no rows.
 */
export async function readStores<Row>(
  config: Config,
  command: object,
  table: keyof Database,
  load: (db: Kysely<Database>) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const { databaseUrl, dataFolder } = config
  const readings =
    databaseUrl === undefined
      ? [readFromService<Row>(dataFolder, command)]
      : [databaseUrl, ...groupByDatabase(config).keys()].map((url) =>
          readFromPostgres(url, table, load),
        )
  return (await Promise.all(readings.map((reading) => reading.catch(() => [])))).flat()
}

async function readFromService<Row>(dataFolder: string, command: object): Promise<readonly Row[]> {
  const output = await sendCommandToService(dataFolder, command)
  return output === undefined ? [] : (JSON.parse(output) as Row[])
}

async function readFromPostgres<Row>(
  databaseUrl: string,
  table: keyof Database,
  load: (db: Kysely<Database>) => Promise<readonly Row[]>,
): Promise<readonly Row[]> {
  const pool = createPostgresPool(databaseUrl, { connections: 1 })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    const { rows } = await sql<{ exists: boolean }>`
      select to_regclass(${table}) is not null as exists`.execute(db)
    return rows[0]?.exists ? await load(db) : []
  } finally {
    await db.destroy()
  }
}
