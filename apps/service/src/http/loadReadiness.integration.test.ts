import type { Insertable } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain } from '../../test/seedChain.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { formatChains } from '../repair/formatChains.ts'
import type { Database } from '../store/Database.ts'
import { Stores } from '../store/Stores.ts'
import { loadReadiness } from './loadReadiness.ts'
import { Metrics } from './Metrics.ts'

it('ignores the index of a chain that is read from nodes since', async () => {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  const { db } = store
  await seedChain(db, { chainId: 7, blocks: { 5: 1_700_000_000 } })
  const past = new Date('2026-01-01')
  await db.updateTable('chains').set({ synced_at: past }).execute()
  await db.updateTable('indexers').set({ confirmed_at: past }).execute()
  const service = await startTestService(store, [testChainConfig(7, { history: 'node' })])
  const { chains } = (await (await fetch(`${service.url}/ready`)).json()) as { chains: object[] }
  expect(chains).toMatchObject([
    { stale: false, stopped: false, synced: false, indexed_block: null, source: null },
  ])
  const metrics = await (await fetch(`${service.url}/metrics`)).text()
  expect(metrics).toMatch(/^headwater_chain_stale\{chain="7"\} 0$/m)
  expect(await formatChains(db, { configured: [testChainConfig(7, { history: 'node' })] })).toMatch(
    /^chain 7: not indexed any more/,
  )
})

it('reports that the process that indexes a chain is away, also before the initial indexing is complete', async () => {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  const { db } = store
  await seedChain(db, { chainId: 7, blocks: { 5: 1_700_000_000 }, synced: false })
  const chain = testChainConfig(7)
  const metrics = new Metrics({ process: false })
  const read = async (indexer: Partial<Insertable<Database['indexers']>>) => {
    await db.deleteFrom('indexers').execute()
    await db
      .insertInto('indexers')
      .values({ chain_id: 7, ...indexer })
      .execute()
    const chains = await loadReadiness({
      config: { chains: [chain] },
      stores: new Stores(store),
      nodes: new Map(),
      watch: { isStopped: () => false, getFailure: () => undefined },
      nodeChains: { findHead: async () => undefined },
    })
    const text = await metrics.write(chains, [])
    return {
      failure: chains[0]?.failure,
      status: await formatChains(db, { configured: [chain] }),
      seconds: /^headwater_chain_unreported_seconds\{chain="7"\} (\d+)$/m.exec(text)?.[1],
      isHeld: /^headwater_chain_held\{chain="7"\} 1$/m.test(text),
      isFailing: /^headwater_chain_failing\{chain="7"\} 1$/m.test(text),
    }
  }
  const reported_at = new Date(Date.now() - 3_600_000)
  expect(await read({ reported_at: new Date(), failure: 'connection failed' })).toMatchObject({
    failure: 'connection failed',
    status: expect.stringContaining('failing: connection failed') as string,
    seconds: expect.stringMatching(/^\d$/) as string,
    isHeld: false,
    isFailing: true,
  })
  expect(await read({ reported_at: new Date() })).toMatchObject({ failure: null, isFailing: false })
  expect(await read({ reported_at, failure: 'connection failed' })).toMatchObject({
    failure: expect.stringMatching(
      /^the process that indexes it has not reported for 3\d+ s/,
    ) as string,
    status: expect.stringContaining('failing: the process that indexes it has not') as string,
    seconds: expect.stringMatching(/^36\d\d$/) as string,
  })
  const stopped = { failure: 'A reorg', seconds: undefined, isHeld: false }
  expect(await read({ reported_at, stopped_reason: 'A reorg' })).toMatchObject(stopped)
  const held = { failure: null, seconds: undefined, isHeld: true }
  expect(await read({ reported_at, hold: 'reset' })).toMatchObject(held)
  expect(await read({ reported_at, hold: 'detached' })).toMatchObject({ isHeld: false })
})
