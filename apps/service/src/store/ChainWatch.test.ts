import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { createTestDatabase } from '../../test/createTestDatabase.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain } from '../../test/seedChain.ts'
import { ChainWatch } from './ChainWatch.ts'
import { openStore } from './openStore.ts'

const logger = pino({ level: 'silent' })

describeEachStore('ChainWatch', (openTestStore) => {
  it('hears of each change without being asked', async () => {
    const store = await openTestStore()
    const watch = new ChainWatch(store, logger)
    onTestFinished(() => watch.close())
    await watch.refresh()
    expect(watch.get(7)).toBeUndefined()
    await seedChain(store.db, { chainId: 7, blocks: { 5: 1_700_000_005 } })
    await vi.waitFor(() => expect(watch.get(7)?.block?.number).toBe(5), 60_000)
    const version = watch.get(7)?.metadataVersion ?? 0
    await store.db
      .updateTable('chains')
      .set(({ eb }) => ({ metadata_version: eb('metadata_version', '+', 1) }))
      .execute()
    await vi.waitFor(() => expect(watch.get(7)?.metadataVersion).toBe(version + 1), 60_000)
    const stop = (reason: string | null) =>
      store.db
        .insertInto('indexers')
        .values({ chain_id: 7, stopped_reason: reason })
        .onConflict((conflict) =>
          conflict.column('chain_id').doUpdateSet({ stopped_reason: reason }),
        )
        .execute()
    await stop('another genesis')
    await vi.waitFor(() => expect([...watch.stoppedChains]).toEqual([7]), 60_000)
    await stop(null)
    await vi.waitFor(() => expect([...watch.stoppedChains]).toEqual([]), 60_000)
    watch.markStopped(7)
    await watch.refresh()
    expect([...watch.stoppedChains]).toEqual([7])
  })

  it('knows no head of a chain whose first indexing is not done', async () => {
    const store = await openTestStore()
    await seedChain(store.db, { chainId: 7, blocks: { 5: 1_700_000_005 }, synced: false })
    const watch = new ChainWatch(store, logger)
    onTestFinished(() => watch.close())
    await watch.refresh()
    expect(watch.get(7)).toMatchObject({ block: undefined })
  })
})

it('knows no head that was not confirmed for long, but for a commit that the embedded database is at', async () => {
  const store = await openMemoryStore()
  await seedChain(store.db, { chainId: 7, blocks: { 5: 1_700_000_005 } })
  const watch = new ChainWatch(store, logger)
  await watch.refresh()
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  let refreshed = Promise.resolve()
  await store.db.transaction().execute(async (transaction) => {
    await sql`select 1`.execute(transaction)
    // It waits for the only session there is, which is the writer's.
    refreshed = watch.refresh()
    vi.advanceTimersByTime(60_000)
    expect(watch.get(7)?.block?.number).toBe(5)
  })
  await refreshed
  await watch.close()
  vi.advanceTimersByTime(60_000)
  expect(watch.get(7)).toBeUndefined()
  await store.close()
})

it('hears of changes again after the connection of the listener was lost', async () => {
  const { url, drop } = await createTestDatabase()
  const store = await openStore({ databaseUrl: url })
  const watch = new ChainWatch(store, logger)
  await seedChain(store.db, { chainId: 7, blocks: { 5: 1_700_000_005 } })
  await vi.waitFor(() => expect(watch.get(7)?.block?.number).toBe(5), 60_000)
  const { rows } = await sql<{ ended: boolean }>`
    select pg_terminate_backend(pid, 5000) as ended from pg_stat_activity
    where application_name = 'headwater listen' and datname = current_database()`.execute(store.db)
  expect(rows).toEqual([{ ended: true }])
  await seedChain(store.db, { chainId: 7, blocks: { 6: 1_700_000_006 } })
  await vi.waitFor(() => expect(watch.get(7)?.block?.number).toBe(6), 60_000)
  await watch.close()
  await store.close()
  await drop()
})
