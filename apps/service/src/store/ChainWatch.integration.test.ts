import { sql } from 'kysely'
import { pino } from 'pino'
import { expect, it, onTestFinished, vi } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { ChainWatch } from './ChainWatch.ts'
import { recordChange } from './changes.ts'
import type { Store } from './Store.ts'

const timeoutMs = 60_000

function watchStore(store: Store, logger = pino({ level: 'silent' })): ChainWatch {
  const watch = new ChainWatch(store, logger)
  onTestFinished(() => watch.close())
  return watch
}

/** Commits a block that changes the balances of an account. */
async function commit({ db }: Store, chainId: number, block: number, holder: string) {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('chains')
      .set({ indexed_block: block, indexed_hash: Buffer.alloc(32, block), indexed_time: block })
      .where('chain_id', '=', chainId)
      .execute()
    await recordChange(transaction, chainId, { holders: [holder] })
  })
}

/** A store of which the changes, or the rows of another table, cannot be loaded by some reads. It is not notified of changes. */
function failChanges(
  store: Store,
  isFailing: (read: number) => boolean,
  failing: 'changes' | 'chains' = 'changes',
): Store {
  let reads = 0
  const selectFrom = ((table: 'changes') => {
    if (table === failing && isFailing(++reads)) {
      throw new Error('timeout exceeded when trying to connect')
    }
    return store.reader.selectFrom(table)
  }) as Store['reader']['selectFrom']
  const reader = new Proxy(store.reader, {
    get: (target, name) =>
      name === 'selectFrom' ? selectFrom : (Reflect.get(target, name) as unknown),
  })
  return { ...store, reader, watchChains: () => () => Promise.resolve() }
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
    await vi.waitFor(() => expect(watch.get(7)?.isStopped).toBe(true), timeoutMs)
    await stop(null)
    await vi.waitFor(() => expect(watch.get(7)?.isStopped).toBe(false), timeoutMs)
    watch.markStopped(7)
    await watch.refresh()
    expect([watch.isStopped(7), watch.get(7)?.isStopped]).toEqual([true, true])
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

  it('publishes a change once, also while those of another chain cannot be read', async () => {
    const store = await openTestStore()
    await seedChain(store.db, { chainId: 7, blocks: { 5: 5 } })
    await seedChain(store.db, { chainId: 8, blocks: { 5: 5 } })
    // Those of the second chain.
    const watch = watchStore(failChanges(store, (read) => read === 2))
    const updated: string[] = []
    watch.onUpdate(({ chainId, block, changes }) => {
      updated.push(`${chainId} ${block?.number} ${changes?.length}`)
      return Promise.resolve()
    })
    const getBlocks = () => [7, 8].map((id) => watch.get(id)?.block?.number)
    await watch.refresh()
    updated.splice(0)
    await commit(store, 7, 6, testAddress(1))
    await commit(store, 8, 6, testAddress(1))
    await watch.refresh()
    expect(getBlocks().sort()).toEqual([5, 6])
    expect(watch.isUnavailable).toBe(false)
    await watch.refresh()
    expect(getBlocks()).toEqual([6, 6])
    expect(updated.sort()).toEqual(['7 6 1', '8 6 1'])
  })

  it('logs once that the store is unavailable, and that it is available again', async () => {
    const store = await openTestStore()
    const lines: string[] = []
    const logger = pino({}, { write: (line) => lines.push(line) })
    let isAway = true
    const watch = watchStore(
      failChanges(store, () => isAway, 'chains'),
      logger,
    )
    await watch.refresh()
    await watch.refresh()
    isAway = false
    await watch.refresh()
    await watch.refresh()
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual([
      'the store is unavailable, retrying; requests that read it fail',
      'the store is available again',
    ])
  })

  it('logs what a listener of published states throws, and calls the others', async () => {
    const store = await openTestStore()
    await seedChain(store.db, { chainId: 7, blocks: { 5: 5 } })
    const lines: string[] = []
    const logger = pino({}, { write: (line) => lines.push(line) })
    const watch = watchStore(
      failChanges(store, () => false),
      logger,
    )
    const published: unknown[] = []
    watch.onPublished(() => {
      throw new TypeError('Cannot read properties of undefined')
    })
    watch.onPublished(({ block }) => published.push(block?.number))
    await watch.refresh()
    expect(published).toEqual([5])
    expect(watch.isUnavailable).toBe(false)
    await commit(store, 7, 6, testAddress(1))
    await watch.refresh()
    expect(published).toEqual([5, 6])
    expect(watch.isUnavailable).toBe(false)
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject(
      [5, 6].map(() => ({
        level: 50,
        chain: 7,
        msg: 'a listener of published blocks failed',
        err: { type: 'TypeError', stack: expect.stringContaining('ChainWatch.ts') as string },
      })),
    )
  })

  it('updates a chain again that failed before it was known', async () => {
    const store = await openTestStore()
    await seedChain(store.db, { chainId: 7, blocks: { 5: 5 } })
    const watch = watchStore(failChanges(store, () => false))
    const listener = vi.fn().mockRejectedValue(new Error('The connection was lost'))
    watch.onUpdate(listener)
    await watch.refresh()
    expect(watch.get(7)).toBeUndefined()
    listener.mockReset().mockResolvedValue(undefined)
    await watch.refresh()
    expect(watch.get(7)?.block?.number).toBe(5)
    expect(listener).toHaveBeenCalledOnce()
  })

  it('takes everything for changed where a failover lost the changes before', async () => {
    const store = await openTestStore()
    await seedChain(store.db, { chainId: 7, blocks: { 5: 5 } })
    const watch = watchStore(failChanges(store, () => false))
    const updated: unknown[] = []
    watch.onUpdate(({ block, changes }) => {
      updated.push([block?.number, changes?.map(({ keys }) => keys?.holders)])
      return Promise.resolve()
    })
    await watch.refresh()
    const alice = testAddress(1)
    const bob = testAddress(2)
    const carol = testAddress(3)
    await commit(store, 7, 6, alice)
    await watch.refresh()
    // The promoted replica has not received the change of block 6, and gets others before it is read.
    await store.db.deleteFrom('changes').execute()
    await store.db.updateTable('chains').set({ change_version: 0 }).execute()
    await commit(store, 7, 7, bob)
    await commit(store, 7, 8, carol)
    await watch.refresh()
    await commit(store, 7, 9, alice)
    await watch.refresh()
    expect(updated).toEqual([
      [5, undefined],
      [6, [[alice]]],
      [8, undefined],
      [9, [[alice]]],
    ])
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
