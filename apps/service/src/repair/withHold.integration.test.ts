import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain } from '../../test/seedChain.ts'
import type { ChainHold } from '../store/Database.ts'
import type { Store } from '../store/Store.ts'
import { release, withHold } from './withHold.ts'

let store: Store
beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())

let chains = 0

async function addChain() {
  const chainId = ++chains
  await seedChain(store.db, { chainId, blocks: { 0: 1_700_000_000 } })
  const readHold = async () => {
    const query = store.db.selectFrom('indexers').select('hold').where('chain_id', '=', chainId)
    return (await query.executeTakeFirst())?.hold
  }
  const start = (
    hold: ChainHold,
    repair: () => Promise<unknown>,
    { then = release, lockTimeoutMs = 20_000 } = {},
  ) => {
    const waiting = Promise.withResolvers<void>()
    const done = withHold(
      store,
      { chainId, hold, lockTimeoutMs, onProgress: () => waiting.resolve() },
      async () => ({ result: await repair(), then }),
    )
    return { done, waiting: waiting.promise }
  }
  return { chainId, readHold, start }
}

it('does not restore the hold of a repair that ended while it waited', async () => {
  const { readHold, start } = await addChain()
  const first = Promise.withResolvers<void>()
  const reset = start('reset', () => first.promise)
  await expect.poll(readHold).toBe('reset')
  const rewind = start('rewind', async () => {
    expect(await readHold()).toBe('rewind')
    throw new Error('There is no such block')
  })
  await rewind.waiting
  first.resolve()
  await reset.done
  await expect(rewind.done).rejects.toThrow('There is no such block')
  expect(await readHold()).toBeNull()
})

it('leaves the hold of a repair that runs longer than it waits', async () => {
  const { readHold, start } = await addChain()
  const first = Promise.withResolvers<void>()
  const reset = start('reset', () => first.promise)
  await expect.poll(readHold).toBe('reset')
  const rewind = start('rewind', async () => {}, { lockTimeoutMs: 300 })
  await expect(rewind.done).rejects.toThrow('did not release it')
  expect(await readHold()).toBe('reset')
  first.resolve()
  await reset.done
  expect(await readHold()).toBeNull()
})

it('states that it waits for the database, and why, and not for the process that indexes the chain', async () => {
  const { chainId, readHold } = await addChain()
  const outage = Object.assign(new Error('too many clients already'), { code: '53300' })
  const progress: string[] = []
  const lockChain: Store['lockChain'] = async (_, { onWaiting }) => {
    onWaiting?.(outage)
    return undefined
  }
  const repair = { chainId, hold: 'reset', lockTimeoutMs: 1_000 } as const
  const done = withHold(
    { db: store.db, lockChain },
    { ...repair, onProgress: (text) => progress.push(text) },
    async () => ({ result: undefined, then: release }),
  )
  await expect(done).rejects.toBe(outage)
  expect(progress).toEqual([
    'Waiting for the database to lock the chain, as it is unavailable (53300): raise its limit of connections, or end some that are not needed',
  ])
  expect(await readHold()).toBeNull()
})

it('states that the chain remains held when its database fails during a repair', async () => {
  const { chainId } = await addChain()
  const progress: string[] = []
  const repair = { chainId, hold: 'reset', lockTimeoutMs: 20_000 } as const
  const done = withHold(
    store,
    { ...repair, onProgress: (text) => progress.push(text) },
    async () => {
      await sql`alter table indexers rename to unavailable`.execute(store.db)
      throw new Error('Connection terminated')
    },
  )
  await expect(done).rejects.toThrow('Connection terminated')
  await sql`alter table unavailable rename to indexers`.execute(store.db)
  expect(progress).toEqual([
    `Chain ${chainId} remains held, so that it is not indexed: repeat the command`,
  ])
})
