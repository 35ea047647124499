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
 * @throws {StoreError} when a step fails, or when the tables are newer than this program.
 */
export async function migrate(db: Kysely<Database>): Promise<void> {
  const error = await db.connection().execute(async (connection) => {
    // A step may take longer than any other statement may, and so may those of another process that we wait for.
    const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(
      connection,
    )
    const setTimeout = (value: string) =>
      sql`select set_config('statement_timeout', ${value}, false)`.execute(connection)
    await setTimeout('0')
    try {
      const provider = { getMigrations: async () => migrations }
      return (await new Migrator({ db: connection, provider }).migrateToLatest()).error
    } finally {
      await setTimeout(rows[0]?.statement_timeout ?? '0')
    }
  })
  if (error)
    throw new StoreError(`The tables could not be made: ${String(error)}`, { cause: error })
}
