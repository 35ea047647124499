import { Kysely, PostgresDialect, sql } from 'kysely'
import { sendCommandToService } from '../commands/sendCommandToService.ts'
import type { Config } from '../config/Config.ts'
import { createPostgresPool } from '../store/createPostgresPool.ts'
import type { Database } from '../store/Database.ts'
import { groupByDatabase } from '../store/openStores.ts'

/**
 * Reads rows of all databases, of the chains that each serves: it may have rows of others from before. The embedded one is only
 * readable while the service runs. That a database cannot be read is reported by `checkStore`.
 *
 * @param command - the command of a running service that returns the same rows as JSON.
 * @param table - one of the tables, without which a database has no rows.
 */
export async function readStores<Row extends { readonly chainId: number }>(
  config: Config,
  command: object,
  table: keyof Database,
  load: (db: Kysely<Database>) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const { databaseUrl, dataFolder, chains } = config
  if (databaseUrl === undefined) {
    return await readFromService<Row>(dataFolder, command).catch(() => [])
  }
  const placed = groupByDatabase(config)
  const others = [...placed.values()].flat()
  const main = chains.filter((chain) => !others.includes(chain))
  const read = async (url: string, served: typeof chains) => {
    const rows = await readPostgres(url, table, load).catch(() => undefined)
    return (rows ?? []).filter(({ chainId }) => served.some(({ id }) => id === chainId))
  }
  const readings = [
    read(databaseUrl, main),
    ...[...placed].map(([url, served]) => read(url, served)),
  ]
  return (await Promise.all(readings)).flat()
}

async function readFromService<Row>(dataFolder: string, command: object): Promise<Row[]> {
  const output = await sendCommandToService(dataFolder, command)
  return output === undefined ? [] : (JSON.parse(output) as Row[])
}

/**
 * Reads one database.
 *
 * @param table - one of the tables that are read.
 * @returns undefined while the database has no such table.
 */
export async function readPostgres<Result>(
  databaseUrl: string,
  table: keyof Database,
  load: (db: Kysely<Database>) => Promise<Result>,
): Promise<Result | undefined> {
  const pool = createPostgresPool(databaseUrl, { connections: 1 })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  try {
    const { rows } = await sql<{ exists: boolean }>`
      select to_regclass(${table}) is not null as exists`.execute(db)
    return rows[0]?.exists ? await load(db) : undefined
  } finally {
    await db.destroy()
  }
}
