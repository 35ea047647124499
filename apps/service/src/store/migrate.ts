import type { Kysely } from 'kysely'
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
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrations } })
  const { error } = await migrator.migrateToLatest()
  if (error)
    throw new StoreError(`The tables could not be made: ${String(error)}`, { cause: error })
}
