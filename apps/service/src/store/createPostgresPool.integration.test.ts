import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { startCuttingProxy } from '../../test/startCuttingProxy.ts'
import { createPostgresPool } from './createPostgresPool.ts'
import { isDatabaseUnavailable } from './isDatabaseUnavailable.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A pool with one connection through a proxy. */
async function openPool() {
  const proxy = await startCuttingProxy(database.url)
  const pool = createPostgresPool(proxy.url, { connections: 1, silenceMs: 200 })
  onTestFinished(async () => {
    await pool.end()
    await proxy.close()
  })
  return { proxy, pool }
}

it('fails the statement of a host that never responds again, and connects to the one that has its address', async () => {
  const { proxy, pool } = await openPool()
  const client = await pool.connect()
  proxy.abandon()
  const failure = await client.query('select 1').catch((error: unknown) => error)
  expect(isDatabaseUnavailable(failure)).toBe(true)
  client.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('waits for a statement that takes long', async () => {
  const { pool } = await openPool()
  const { rows } = await pool.query('select pg_sleep(1)::text, 1 as one')
  expect(rows).toMatchObject([{ one: 1 }])
})
