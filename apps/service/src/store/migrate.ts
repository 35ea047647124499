import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Database } from './Database.ts'
import * as spine from './migrations/0001Spine.ts'
import * as answers from './migrations/0002Answers.ts'
import * as undo from './migrations/0003Undo.ts'
import * as metadata from './migrations/0004Metadata.ts'
import * as facts from './migrations/0005Facts.ts'
import * as units from './migrations/0006Units.ts'
import * as media from './migrations/0007Media.ts'
import * as audit from './migrations/0008Audit.ts'
import * as prices from './migrations/0009Prices.ts'
import * as roles from './migrations/0010Roles.ts'
import * as progress from './migrations/0011Progress.ts'
import { StoreError } from './StoreError.ts'
import { withoutStatementTimeout } from './withoutStatementTimeout.ts'

/** The first with `merge`. */
const leastVersion = 150_000

/** Every step of the tables' history, in the order of their names. A step that was released is never edited. */
const migrations = {
  '0001Spine': spine,
  '0002Answers': answers,
  '0003Undo': undo,
  '0004Metadata': metadata,
  '0005Facts': facts,
  '0006Units': units,
  '0010Roles': roles,
  '0007Media': media,
  '0008Audit': audit,
  '0009Prices': prices,
  '0011Progress': progress,
}

/**
 * Brings the tables up to date. Several processes may do so at once: they take turns by the database's own lock.
 *
 * @throws {StoreError} when a step fails, when the tables are newer than this program, or the database too old.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  await requireVersion(db)
  // The usual case, for which a migrator looks through the whole catalogue.
  if (await isUpToDate(db)) {
    return
  }
  const error = await db.connection().execute((connection) =>
    // Migrations, and waiting for those of another process, may take longer than other statements.
    withoutStatementTimeout(connection, async () => {
      const provider = { getMigrations: async () => migrations }
      return (await new Migrator({ db: connection, provider }).migrateToLatest()).error
    }),
  )
  if (error) {
    throw new StoreError(`The tables could not be made: ${String(error)}`, { cause: error })
  }
}

/** @param least - as PostgreSQL counts: 150000 is version 15. */
export async function requireVersion(db: Kysely<Database>, least = leastVersion): Promise<void> {
  const { rows } = await sql<{ version: string }>`
    select current_setting('server_version_num') as version`.execute(db)
  const version = Number(rows[0]?.version)
  const major = (number: number) => Math.floor(number / 10_000)
  if (version < least) {
    throw new StoreError(`PostgreSQL ${major(least)} or newer is needed; this is ${major(version)}`)
  }
}

/** Whether these steps, and no others, were taken. */
async function isUpToDate(db: Kysely<Database>): Promise<boolean> {
  const { rows: tables } = await sql<{ is_there: boolean }>`
    select to_regclass('kysely_migration') is not null as is_there`.execute(db)
  if (!tables[0]?.is_there) {
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
