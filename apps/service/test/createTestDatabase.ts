import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** Creates an empty database on the PostgreSQL server of the tests. One that is not dropped is dropped after the run. */
export async function createTestDatabase(
  encoding = 'UTF8',
): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = inject('postgres')
  if ('missing' in server) {
    throw new Error(server.missing)
  }
  const name = `${server.prefix}${randomBytes(8).toString('hex')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  const locale = encoding === 'UTF8' ? '' : " locale 'C'"
  await run(`create database ${name} template template0 encoding '${encoding}'${locale}`)
  const url = new URL(server.url)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) }
}
