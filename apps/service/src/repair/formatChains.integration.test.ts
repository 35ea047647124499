import type { Insertable } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { Database } from '../store/Database.ts'
import { formatChains } from './formatChains.ts'

it('describes the state of a chain as responses do', async () => {
  const store = await openMemoryStore()
  onTestFinished(() => store.close())
  const { db } = store
  const staleness = { warnAfterSeconds: 1_000, rejectAfterSeconds: 10_000 }
  const configured = [testChainConfig(7, { staleness })]
  const format = async (
    chain: { readonly synced?: boolean; readonly unconfirmedSeconds?: number },
    indexer: Partial<Insertable<Database['indexers']>> = {},
    chains = configured,
  ) => {
    await db.deleteFrom('indexers').execute()
    await seedChain(db, { chainId: 7, blocks: { 5: 1_700_000_000 }, ...chain })
    await db
      .insertInto('indexers')
      .values({ chain_id: 7, ...indexer })
      .execute()
    return await formatChains(db, { configured: chains })
  }
  const away = { unconfirmedSeconds: 20_000 }

  expect(await format({})).toMatch(/^chain 7: synced\n {2}indexed block 5, .*, final block none\n/)
  expect(await format({ unconfirmedSeconds: 2_000 })).toMatch(
    /^chain 7: stale, its responses have the warning STALE_CHAIN: check .*\n[^]*head confirmed 20\d\d s ago/,
  )
  expect(await format(away)).toMatch(/^chain 7: unavailable \(CHAIN_STALE\), .*: check/)
  expect(await format(away, { confirmed_at: new Date() })).toMatch(/^chain 7: synced\n/)
  expect(await format({ synced: false })).toMatch(/^chain 7: initial indexing\n/)
  expect(await format(away, { stopped_reason: 'A reorg' })).toMatch(/^chain 7: stopped\n/)
  expect(await format(away, { hold: 'rewind' })).toMatch(
    /^chain 7: held by chain rewind: .*repeat it or run headwater chain reset --chain 7\n/,
  )
  expect(await format(away, {}, [testChainConfig(8)])).toMatch(
    /^chain 7: not in the configuration\n/,
  )
  await seedChain(db, { chainId: 7, blocks: { 5: 1_700_000_000 } })
  expect(await formatChains(db, {})).toMatch(/^chain 7: synced\n/)
})
