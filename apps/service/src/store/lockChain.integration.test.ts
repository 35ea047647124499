import pg from 'pg'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { startCuttingProxy } from '../../test/startCuttingProxy.ts'
import { lockChain } from './lockChain.ts'

const { signal } = new AbortController()

let database: Awaited<ReturnType<typeof createTestDatabase>>
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

it('lets one process at a time lock a chain, and another process another chain', async () => {
  const first = await lockChain(database.url, 1, { signal })
  const other = await lockChain(database.url, 2 ** 40, { signal })
  const waits: unknown[] = []
  const second = lockChain(database.url, 1, { signal, onWaiting: (error) => waits.push(error) })
  await expect.poll(() => waits).toEqual([undefined])
  expect(first?.lost.aborted).toBe(false)
  await first?.release()
  expect((await second)?.lost.aborted).toBe(false)
  await (await second)?.release()
  await other?.release()
})

it('notifies the holder when its connection is lost, and lets another process lock the chain', async () => {
  const first = await lockChain(database.url, 2, { signal })
  const second = lockChain(database.url, 2, { signal })
  const lost = new Promise((resolve) => first?.lost.addEventListener('abort', resolve))
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // Only locks of this database, as the server has those of other tests.
  await client.query(`
    select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`)
  await client.end()
  await lost
  await (await second)?.release()
  await first?.release()
})

it('stops waiting when the signal aborts', async () => {
  const first = await lockChain(database.url, 3, { signal })
  const stopper = new AbortController()
  const second = lockChain(database.url, 3, {
    signal: stopper.signal,
    onWaiting: () => stopper.abort(),
  })
  expect(await second).toBeUndefined()
  await first?.release()
})

it('releases the lock of a database that does not respond without waiting for it', async () => {
  const proxy = await startCuttingProxy(database.url)
  const lock = await lockChain(proxy.url, 5, { signal })
  onTestFinished(proxy.close)
  proxy.abandon()
  await lock?.release()
})

it('reports when another process has the lock of a database that was unavailable', async () => {
  const first = await lockChain(database.url, 4, { signal })
  const proxy = await startCuttingProxy(database.url)
  onTestFinished(proxy.close)
  proxy.setAway(true)
  const waits: string[] = []
  const second = lockChain(proxy.url, 4, {
    signal,
    onWaiting: (error) => waits.push(error === undefined ? 'locked' : 'unavailable'),
  })
  await expect.poll(() => waits).toEqual(['unavailable'])
  proxy.setAway(false)
  await expect.poll(() => waits).toEqual(['unavailable', 'locked'])
  await first?.release()
  await (await second)?.release()
})

it('waits for a database that is unavailable, and reports the error', async () => {
  const stopper = new AbortController()
  let failure: unknown
  const waiting = lockChain('postgres://user@127.0.0.1:1/none', 1, {
    signal: stopper.signal,
    onWaiting: (error) => {
      failure = error
      stopper.abort()
    },
  })
  expect(await waiting).toBeUndefined()
  expect(failure).toMatchObject({ code: 'ECONNREFUSED' })
})
