import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Database } from './Database.ts'
import * as initial from './migrations/0001Initial.ts'
import * as poolBalances from './migrations/0002PoolBalances.ts'
import * as indexingStage from './migrations/0003IndexingStage.ts'
import * as searches from './migrations/0004Searches.ts'
import * as poolEmitters from './migrations/0005PoolEmitters.ts'
import * as amountRank from './migrations/0007AmountRank.ts'
import { StoreError } from './StoreError.ts'
import { withoutStatementTimeout } from './withoutStatementTimeout.ts'

/** The oldest supported major version of PostgreSQL: the first one with `merge`. */
export const oldestPostgres = 15

/** All migrations by name, which determines their order. The name is stored, and a released migration is never changed. */
const migrations = {
  '0001Initial': initial,
  '0002PoolBalances': poolBalances,
  '0003IndexingStage': indexingStage,
  '0004Searches': searches,
  '0005PoolEmitters': poolEmitters,
  '0007AmountRank': amountRank,
}

/**
 * Migrates the tables to the current version. Concurrent processes are serialized by a lock in the database.
 *
 * @throws {StoreError} when a migration fails, when the tables are newer than this program, or the database is too old.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await requireVersion(db)
  // The usual case, in which a migrator would read the whole catalog.
  if (await isUpToDate(db)) {
    return
  }
  const error = await db.connection().execute((connection) =>
    // Migrations, and waiting for those of another process, may exceed the timeout.
    withoutStatementTimeout(connection, async () => {
      const provider = { getMigrations: async () => migrations }
      return (await new Migrator({ db: connection, provider }).migrateToLatest()).error
    }),
  )
  if (error) {
    throw new StoreError(`The migration of the tables failed: ${String(error)}`, { cause: error })
  }
}

/** @param oldest - major version. */
export async function requireVersion(db: Kysely<Database>, oldest = oldestPostgres): Promise<void> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version_num') as version`.execute(db)
  const version = Math.floor(Number(rows[0]?.version) / 10_000)
  if (version < oldest) {
    throw new StoreError(`PostgreSQL ${oldest} or newer is required; this is ${version}`)
  }
}

/** Whether exactly these migrations were applied. */
async function isUpToDate(db: Kysely<Database>): Promise<boolean> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (!tables[0]?.exists) {
    return false
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  return (
    rows
      .map(({ name }) => name)
      .sort()
      .join() === Object.keys(migrations).sort().join()
  )
}
