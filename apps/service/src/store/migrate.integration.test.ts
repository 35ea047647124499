import { type Kysely, sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { migrate, migrations } from './migrate.ts'
import { openPostgres } from './openPostgres.ts'

/** An empty database, and a function that returns its columns by table and name. */
async function openDatabase() {
  const { url, drop } = await createTestDatabase()
  const { db, close } = openPostgres(url)
  onTestFinished(async () => {
    await close()
    await drop()
  })
  const readColumns = async () => {
    const { rows } = await sql<{ name: string; type: string; isOptional: boolean }>`
      select table_name || '.' || column_name as name, udt_name as type,
        is_nullable = 'YES' or column_default is not null or is_identity = 'YES' or is_generated = 'ALWAYS' as "isOptional"
      from information_schema.columns where table_schema = 'public'`.execute(db)
    return new Map(rows.map(({ name, ...column }) => [name, column]))
  }
  return { db, readColumns }
}

describe.skipIf('missing' in inject('postgres'))('migrate', () => {
  it('changes tables so that the previous version can read and write them, unless the migration names the oldest version', async () => {
    const { db, readColumns } = await openDatabase()
    const provider = { getMigrations: async () => migrations }
    const migrator = new Migrator({ db, provider })
    let before = new Map<string, object>()
    for (const [name, { oldestMigration }] of Object.entries(migrations)) {
      expect((await migrator.migrateTo(name)).error).toBeUndefined()
      const after = await readColumns()
      const tables = new Set([...before.keys()].map((column) => column.split('.')[0]))
      for (const [column, { type }] of before as typeof after) {
        const isKept = oldestMigration !== undefined || after.get(column)?.type === type
        expect({ name, column, isKept }).toEqual({ name, column, isKept: true })
      }
      for (const [column, { isOptional }] of after) {
        const isAdded = !before.has(column) && tables.has(column.split('.')[0])
        expect({ name, column, isWritable: !isAdded || isOptional }).toEqual({
          name,
          column,
          isWritable: true,
        })
      }
      before = after
    }
  })

  it('accepts tables of a newer version, unless that names a newer one as the oldest', async () => {
    const { db } = await openDatabase()
    await migrate(db)
    const next = {
      ...migrations,
      '9998Expand': {
        up: (database: Kysely<never>) =>
          sql`alter table keys add column note text`.execute(database).then(() => undefined),
      },
    }
    await migrate(db, next)
    await migrate(db)
    await db
      .insertInto('keys')
      .values({ name: 'a', prefix: 'b', hash: Uint8Array.of(1), purpose: 'data', expires_at: null })
      .execute()
    const contracted = {
      ...next,
      '9999Contract': {
        up: (database: Kysely<never>) =>
          sql`alter table keys drop column note`.execute(database).then(() => undefined),
        oldestMigration: '9999Contract',
      },
    }
    await migrate(db, contracted)
    await migrate(db, contracted)
    for (const known of [migrations, next]) {
      await expect(migrate(db, known)).rejects.toMatchObject({
        name: 'StoreError',
        message: expect.stringContaining('newer version') as string,
      })
    }
  })
})
