import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain } from '../../test/seedChain.ts'
import { ChainWatch } from './ChainWatch.ts'
import type { Store } from './Store.ts'

const timeoutMs = 60_000

function watchStore(store: Store): ChainWatch {
  const watch = new ChainWatch(store, pino({ level: 'silent' }))
  onTestFinished(() => watch.close())
  return watch
}

describeEachStore('ChainWatch', (openTestStore, kind) => {
  it('reads the states after each change', async () => {
    const store = await openTestStore()
    const watch = watchStore(store)
    await watch.refresh()
    expect(watch.get(7)).toMatchObject({ block: undefined, isStopped: false })
    await seedChain(store.db, { chainId: 7, blocks: { 5: 1_700_000_005 } })
    await vi.waitFor(() => expect(watch.get(7)?.block?.number).toBe(5), timeoutMs)
    const version = watch.get(7)?.metadataVersion ?? 0
    await store.db
      .updateTable('chains')
      .set(({ eb }) => ({ metadata_version: eb('metadata_version', '+', 1) }))
      .execute()
    await vi.waitFor(() => expect(watch.get(7)?.metadataVersion).toBe(version + 1), timeoutMs)
    const stop = (reason: string | null) =>
      store.db
        .insertInto('indexers')
        .values({ chain_id: 7, stopped_reason: reason })
        .onConflict((conflict) =>
          conflict.column('chain_id').doUpdateSet({ stopped_reason: reason }),
        )
        .execute()
    await stop('another genesis')
    await vi.waitFor(() => expect([...watch.stoppedChains]).toEqual([7]), timeoutMs)
    await stop(null)
    await vi.waitFor(() => expect([...watch.stoppedChains]).toEqual([]), timeoutMs)
    watch.markStopped(7)
    await watch.refresh()
    expect([...watch.stoppedChains]).toEqual([7])
    expect(watch.get(7)?.isStopped).toBe(true)
  })

  it('is publishing until the listeners of an update are done', async () => {
    const store = await openTestStore()
    await seedChain(store.db, { chainId: 7, blocks: { 5: 1_700_000_005 } })
    const watch = watchStore(store)
    await watch.refresh()
    expect(watch.publishing).toBeUndefined()
    const preparing = Promise.withResolvers<void>()
    watch.onUpdate(() => preparing.promise)
    await seedChain(store.db, { chainId: 7, blocks: { 6: 1_700_000_006 } })
    const refreshed = watch.refresh()
    const published = watch.publishing
    expect(published).toBeDefined()
    expect(watch.get(7)?.block?.number).toBe(5)
    preparing.resolve()
    await published
    await refreshed
    expect(watch.get(7)?.block?.number).toBe(6)
    expect(watch.publishing).toBeUndefined()
  })

  it('has no block of a chain before its initial sync is complete', async () => {
    const store = await openTestStore()
    await seedChain(store.db, { chainId: 7, blocks: { 5: 1_700_000_005 }, synced: false })
    const watch = watchStore(store)
    await watch.refresh()
    expect(watch.get(7)).toMatchObject({ block: undefined })
  })

  if (kind === 'pglite') {
    it('expires states that were not read again, but not during a commit of the embedded database', async () => {
      const store = await openTestStore()
      await seedChain(store.db, { chainId: 7, blocks: { 5: 1_700_000_005 } })
      const watch = watchStore(store)
      await watch.refresh()
      vi.useFakeTimers({ toFake: ['performance'] })
      onTestFinished(() => void vi.useRealTimers())
      let refreshed = Promise.resolve()
      await store.db.transaction().execute(async (transaction) => {
        await sql`select 1`.execute(transaction)
        // It waits for the only session, which the transaction holds.
        refreshed = watch.refresh()
        vi.advanceTimersByTime(60_000)
        expect(watch.get(7)?.block?.number).toBe(5)
      })
      await refreshed
      await watch.close()
      vi.advanceTimersByTime(60_000)
      expect(watch.get(7)).toBeUndefined()
    })
  } else {
    it('reads the states after the connection of the listener was lost', async () => {
      const store = await openTestStore()
      const watch = watchStore(store)
      await seedChain(store.db, { chainId: 7, blocks: { 5: 1_700_000_005 } })
      await vi.waitFor(() => expect(watch.get(7)?.block?.number).toBe(5), timeoutMs)
      const { rows } = await sql<{ ended: boolean }>`
        select pg_terminate_backend(pid, 5000) as ended from pg_stat_activity
        where application_name = 'headwater listen' and datname = current_database()`.execute(
        store.db,
      )
      expect(rows).toEqual([{ ended: true }])
      await seedChain(store.db, { chainId: 7, blocks: { 6: 1_700_000_006 } })
      await vi.waitFor(() => expect(watch.get(7)?.block?.number).toBe(6), timeoutMs)
    })
  }
})
