import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** File that holds an empty embedded database. */
    pgliteImage: string
  }
}

/** Makes one empty embedded database for all test files: making one takes seconds, loading it half a second. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const pglite = await PGlite.create()
  const image = await pglite.dumpDataDir('none')
  await pglite.close()
  const folder = await mkdtemp(join(tmpdir(), 'headwater-pglite-'))
  const file = join(folder, 'empty.tar')
  await writeFile(file, image.stream())
  project.provide('pgliteImage', file)
  return () => rm(folder, { recursive: true })
}
