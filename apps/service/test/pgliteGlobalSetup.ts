import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { Kysely, PGliteDialect } from 'kysely'
import type { TestProject } from 'vitest/node'
import type { Database } from '../src/store/Database.ts'
import { migrate } from '../src/store/migrate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** An archive of an embedded database with empty tables. */
    pgliteImage: string
  }
}

/** Creates one empty embedded database for all test files: creating takes seconds, loading half a second. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
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
