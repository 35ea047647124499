import { type Kysely, sql } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import type { Database } from './Database.ts'
import { describeDatabaseError } from './describeDatabaseError.ts'
import * as initial from './migrations/0001Initial.ts'
import * as poolBalances from './migrations/0002PoolBalances.ts'
import * as indexingStage from './migrations/0003IndexingStage.ts'
import * as searches from './migrations/0004Searches.ts'
import * as poolEmitters from './migrations/0005PoolEmitters.ts'
import * as amountRank from './migrations/0006AmountRank.ts'
import * as compatibility from './migrations/0007Compatibility.ts'
import * as walletClaims from './migrations/0008WalletClaims.ts'
import * as searchedChains from './migrations/0009SearchedChains.ts'
import * as balanceDeltas from './migrations/0010BalanceDeltas.ts'
import * as pairsOfRanks from './migrations/0011PairsOfRanks.ts'
import * as ranksByPair from './migrations/0012RanksByPair.ts'
import * as uncompressedImages from './migrations/0013UncompressedImages.ts'
import * as undoTokenEvents from './migrations/0014UndoTokenEvents.ts'
import * as indexerReports from './migrations/0015IndexerReports.ts'
import { StoreError } from './StoreError.ts'
import { withoutStatementTimeout } from './withoutStatementTimeout.ts'

/** The oldest supported major version of PostgreSQL: the first one with `merge`. */
export const oldestPostgres = 15

/** A migration that removes or changes what programs use names the oldest latest migration of those that can use its tables. */
type Migrations = Readonly<Record<string, Migration & { readonly oldestMigration?: string }>>

/** All migrations by name, which determines their order. The name is stored, and a released migration is never changed. */
export const migrations: Migrations = {
  '0001Initial': initial,
  '0002PoolBalances': poolBalances,
  '0003IndexingStage': indexingStage,
  '0004Searches': searches,
  '0005PoolEmitters': poolEmitters,
  '0006AmountRank': amountRank,
  '0007Compatibility': compatibility,
  '0008WalletClaims': walletClaims,
  '0009SearchedChains': searchedChains,
  '0010BalanceDeltas': balanceDeltas,
  '0011PairsOfRanks': pairsOfRanks,
  '0012RanksByPair': ranksByPair,
  '0013UncompressedImages': uncompressedImages,
  '0014UndoTokenEvents': undoTokenEvents,
  '0015IndexerReports': indexerReports,
}

/**
 * Migrates the tables to the current version. Concurrent processes are serialized by a lock in the database. Tables of a newer
 * version remain, if this one can use them.
 *
 * @param known - the migrations of this version.
 * @throws {Error} of the database, when that cannot be used.
 * @throws {StoreError} when a migration fails, when this program cannot use the tables of a newer one, or the database is too
 *   old or has another encoding than UTF8.
 */
export async function migrate(db: Kysely<Database>, known = migrations): Promise<void> {
  await requireServer(db)
  // The usual case, in which a migrator would read the whole catalog.
  if (await hasCurrentTables(db, known)) {
    return
  }
  // Migrations, and waiting for those of another process, may exceed the timeout.
  const { error } = await withoutStatementTimeout(db, async (session) => {
    const provider = { getMigrations: async () => mapMigrations(known) }
    return await new Migrator({ db: session, provider }).migrateToLatest()
  })
  if (error) {
    throw describeDatabaseError(error) === undefined
      ? new StoreError(`The migration of the tables failed: ${String(error)}`, { cause: error })
      : (error as Error)
  }
}

/** @param oldest - major version. */
export async function requireServer(db: Kysely<Database>, oldest = oldestPostgres): Promise<void> {
  const { rows } = await sql<{ version: string; encoding: string }>`
    select current_setting('server_version_num') as version, getdatabaseencoding() as encoding`.execute(
    db,
  )
  const [{ version, encoding }] = rows as [(typeof rows)[number]]
  const major = Math.floor(Number(version) / 10_000)
  if (major < oldest) {
    throw new StoreError(`PostgreSQL ${oldest} or newer is required; this is ${major}`)
  }
  if (encoding !== 'UTF8') {
    throw new StoreError(`The database has the encoding ${encoding}: create one with UTF8`)
  }
}

/** Migrations that also store which programs can use their tables. */
function mapMigrations(known: Migrations): Record<string, Migration> {
  const store = ({ up, oldestMigration }: Migrations[string]): Migration => ({
    async up(db: Kysely<Pick<Database, 'compatibility'>>) {
      // Also through a pooler, where another session has the timeout that the caller sets.
      await sql`select set_config('statement_timeout', '0', true)`.execute(db)
      await up(db)
      if (oldestMigration !== undefined) {
        await db.updateTable('compatibility').set({ oldest_migration: oldestMigration }).execute()
      }
    },
  })
  return Object.fromEntries(
    Object.entries(known).map(([name, migration]) => [name, store(migration)]),
  )
}

/**
 * Whether all migrations of this version were applied.
 *
 * @param known - these migrations.
 * @throws {StoreError} when those of a newer version were applied as well, and this one cannot use its tables.
 */
export async function hasCurrentTables(db: Kysely<Database>, known = migrations): Promise<boolean> {
  const version = await findTablesVersion(db, known)
  if (version === 'incompatible') {
    throw new StoreError(`The tables ${incompatibleTables}`)
  }
  return version !== 'older'
}

/** What is wrong with `incompatible` tables, and what to do. */
export const incompatibleTables =
  'are those of a newer version, and this one cannot use them: start the newer version'

/**
 * The version of the tables, compared with this one: `older` also where there are none, `newer` where this one can use them
 * all the same, and `incompatible` where it cannot.
 *
 * @param known - the migrations of this version.
 */
export async function findTablesVersion(
  db: Kysely<Database>,
  known = migrations,
): Promise<'older' | 'current' | 'newer' | 'incompatible'> {
  const { rows: tables } = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db)
  if (!tables[0]?.exists) {
    return 'older'
  }
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(db)
  const applied = new Set(rows.map(({ name }) => name))
  const names = Object.keys(known).sort()
  if (!names.every((name) => applied.has(name))) {
    return 'older'
  }
  if (applied.size === names.length) {
    return 'current'
  }
  const oldest = await db.selectFrom('compatibility').select('oldest_migration').executeTakeFirst()
  return String(names.at(-1)) < (oldest?.oldest_migration ?? '') ? 'incompatible' : 'newer'
}
