import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { type DevnetChain, devnetOne, startChain } from '@headwater/devnet'
import { openSharedStore } from '../../test/describeEachStore.ts'
import { dumpTables } from '../../test/dumpTables.ts'
import { expectChainBalances } from '../../test/expectChainBalances.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { Store } from '../store/Store.ts'

let chain: DevnetChain
let embedded: Store
/** Undefined where the tests have no PostgreSQL. */
let postgres: Store | undefined
beforeAll(async () => {
  chain = await startChain({ scenario: devnetOne, days: 1, live: false })
  embedded = await openSharedStore('pglite')
  if (!('missing' in inject('postgres'))) {
    postgres = await openSharedStore('postgres')
  }
})
afterAll(() => chain.stop())

/** Counts the pools whose liquidity tokens have holders. */
async function countHeldPools({ db }: Store): Promise<number> {
  const rows = await db
    .selectFrom('balances')
    .innerJoin('tokens', (join) =>
      join
        .onRef('tokens.chain_id', '=', 'balances.chain_id')
        .onRef('tokens.id', '=', 'balances.token'),
    )
    .innerJoin('pools', (join) =>
      join
        .onRef('pools.chain_id', '=', 'tokens.chain_id')
        .onRef('pools.address', '=', 'tokens.address'),
    )
    .where('amount', '>', '0')
    .select('pools.address')
    .distinct()
    .execute()
  return rows.length
}

// Random worlds compare every row after every step; here the history is that of a whole day.
it('has the balances of a real chain after the initial sync, new blocks and reorgs', async () => {
  const config = testChainConfig(chain.chainId, { ...chain.config, pollIntervalMs: 20 })
  const stores = postgres ? [embedded, postgres] : [embedded]
  const indexers = stores.map((store) => indexTestChain(store, config))
  const waitForHead = async () => {
    const head = await chain.rpc.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false)
    await Promise.all(indexers.map((indexer) => indexer.reaches(head.hash)))
  }
  /** Compares one store with the contracts, and the other one with the first. */
  const expectBalances = async () => {
    await waitForHead()
    expect(await expectChainBalances(embedded, chain)).toBeGreaterThan(50)
    const dumps = await Promise.all(stores.map(dumpTables))
    expect(dumps.at(-1)?.['balances']).toEqual(dumps[0]?.['balances'])
    // The shares of vaults are tokens as well.
    const held = chain.pools.length + (chain.config.erc4626Vaults?.length ?? 0)
    expect(await Promise.all(stores.map(countHeldPools))).toEqual(stores.map(() => held))
  }
  await expectBalances()

  const [account] = chain.accounts
  if (!account) {
    throw new Error('The devnet has no accounts')
  }
  await chain.deposit({ from: account.address, amount: 10n ** 18n })
  await chain.withdraw({ from: account.address, amount: 10n ** 17n })
  for (let block = 0; block < 8; block++) {
    await chain.mineTraffic()
  }
  await waitForHead()
  for (const depth of [5, 1, 8]) {
    await chain.reorg(depth)
    await chain.mineTraffic()
    await waitForHead()
  }
  await expectBalances()
  await Promise.all(indexers.map((indexer) => indexer.stop()))
})
