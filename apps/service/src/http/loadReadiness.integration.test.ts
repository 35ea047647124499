import { expect, it, onTestFinished } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain } from '../../test/seedChain.ts'
import { startTestService } from '../../test/startTestService.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { formatChains } from '../repair/formatChains.ts'

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
