import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { startCuttingProxy } from '../../test/startCuttingProxy.ts'
import { createPostgresPool } from './createPostgresPool.ts'
import { isDatabaseUnavailable } from './isDatabaseUnavailable.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>

beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** A connection of a pool through a proxy. */
async function openConnection(databaseUrl = database.url) {
  const proxy = await startCuttingProxy(databaseUrl)
  const pool = createPostgresPool(proxy.url, { connections: 2, silenceMs: 200 })
  const client = await pool.connect()
  onTestFinished(async () => {
    client.release(true)
    await pool.end()
    proxy.setAway(true)
    await proxy.close()
  })
  return { proxy, pool, client }
}

it('fails the statement of a host that never responds again, and connects to the one that has its address', async () => {
  const { proxy, pool, client } = await openConnection()
  proxy.abandon()
  const failure = await client.query('select 1').catch((error: unknown) => error)
  expect(isDatabaseUnavailable(failure)).toBe(true)
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

it('fails the statement of a host that is unreachable', async () => {
  const { proxy, client } = await openConnection()
  proxy.setSilent(true)
  await expect(client.query('select 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' })
})

it('waits for a statement that takes long, with any date style', async () => {
  const { client } = await openConnection()
  await client.query(`set datestyle = 'SQL, DMY'`)
  await client.query(`set timezone = 'Asia/Kolkata'`)
  const { rows } = await client.query('select pg_sleep(1)::text, 1 as one')
  expect(rows).toMatchObject([{ one: 1 }])
})

it('does not connect for a connection without a statement', async () => {
  await openConnection()
  const connect = vi.spyOn(pg.Client.prototype, 'connect')
  await delay(700)
  expect(connect.mock.calls).toEqual([])
  connect.mockRestore()
})

it('waits for a statement of a role that cannot see the start of its session', async () => {
  const admin = new pg.Client({ connectionString: database.url })
  await admin.connect()
  const [login, owner] = ['login', 'owner'].map((role) => `headwater_test_${role}_${process.pid}`)
  onTestFinished(() => admin.end())
  await admin.query(
    `create role ${login} login; create role ${owner}; grant ${owner} to ${login}; alter role ${login} set role = ${owner}`,
  )
  const url = new URL(database.url)
  url.username = String(login)
  const { client } = await openConnection(url.href)
  expect((await client.query('select pg_sleep(1)::text')).rowCount).toBe(1)
  await client.query('reset role')
  await admin.query(`drop owned by ${login}; drop role ${login}; drop role ${owner}`)
})

it('replaces a connection that remains read-only', async () => {
  const pool = createPostgresPool(database.url, { connections: 1 })
  onTestFinished(() => pool.end())
  const write = async () => {
    const client = await pool.connect()
    try {
      await client.query('create temporary table written ()')
    } finally {
      client.release()
    }
  }
  await pool.query('set default_transaction_read_only = on')
  await expect(write()).rejects.toMatchObject({ code: '25006' })
  await write()
})
