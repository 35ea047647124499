import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { lockChain } from './lockChain.ts'
import { openStore } from './openStore.ts'

async function openTwice() {
  const { url, drop } = await createTestDatabase()
  const store = await openStore({ databaseUrl: url })
  onTestFinished(async () => {
    await store.close()
    await drop()
  })
  return { store, url }
}

const never = new AbortController().signal

it('lets one at a time index a chain, and another chain beside it', async () => {
  const { url } = await openTwice()
  const first = await lockChain(url, 1, { signal: never })
  const other = await lockChain(url, 2 ** 40, { signal: never })
  const waits: unknown[] = []
  const second = lockChain(url, 1, { signal: never, onWaiting: (error) => waits.push(error) })
  await expect.poll(() => waits).toEqual([undefined])
  expect(first?.lost.aborted).toBe(false)
  await first?.release()
  expect((await second)?.lost.aborted).toBe(false)
  await (await second)?.release()
  await other?.release()
})

it('tells the holder at once that its connection is lost, and another takes over', async () => {
  const { store, url } = await openTwice()
  const first = await lockChain(url, 1, { signal: never })
  const second = lockChain(url, 1, { signal: never })
  const lost = new Promise((resolve) => first?.lost.addEventListener('abort', resolve))
  // The server has other tests' databases too.
  await sql`
    select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'
      and database = (select oid from pg_database where datname = current_database())`.execute(
    store.db,
  )
  await lost
  await (await second)?.release()
  await first?.release()
})

it('gives up waiting when it is told to', async () => {
  const { url } = await openTwice()
  const first = await lockChain(url, 1, { signal: never })
  const stop = new AbortController()
  const second = lockChain(url, 1, { signal: stop.signal, onWaiting: () => stop.abort() })
  expect(await second).toBeUndefined()
  await first?.release()
})

it('waits for a store that is away, and tells why', async () => {
  const stop = new AbortController()
  let reason: unknown
  const waiting = lockChain('postgres://nobody@127.0.0.1:1/none', 1, {
    signal: stop.signal,
    onWaiting: (error) => {
      reason = error
      stop.abort()
    },
  })
  expect(await waiting).toBeUndefined()
  expect(reason).toMatchObject({ code: 'ECONNREFUSED' })
})
