import type { Address } from 'viem'
import { expect, it } from 'vitest'
import { seededRandom } from '@headwater/devnet'
import { createContractClient } from '../../../test/createContractClient.ts'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { dumpTables } from '../../../test/dumpTables.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { shareFixture } from '../../../test/shareFixture.ts'
import { startAnvil } from '../../../test/startAnvil.ts'
import { startBalanceVenues } from '../../../test/startBalanceVenues.ts'
import { startHostedNode } from '../../../test/startHostedNode.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { loadPools } from '../../pricing/loadPools.ts'
import { getPoolModel, getSpotPrice, mapVenues } from '../../pricing/venues/venues.ts'
import { ChainNode } from '../../rpc/ChainNode.ts'
import { PoolReader } from './PoolReader.ts'

const finalityDepth = 64

async function startWorld() {
  const node = await startAnvil('--gas-limit', '1000000000', '--base-fee', '0')
  const [sender] = (await node.call<Address[]>('eth_accounts')) as [Address]
  const pools = await startBalanceVenues(createContractClient(node, sender), sender)
  const chain = testChainConfig(31_337, {
    ...{ rpcUrls: [node.url], pollIntervalMs: 10, finalityDepth },
    ...mapVenues((option) => [
      ...new Set(pools.filter((pool) => pool.option === option).map(({ factory }) => factory)),
    ]),
  })
  const change = async (seed: string) => {
    const random = seededRandom(seed)
    const unique = new Map(pools.map((pool) => [pool.pool, pool]))
    for (const pool of unique.values()) {
      await pool.change(random)
    }
  }
  const getHead = async () => {
    const head = await node.call<{ number: string; hash: string }>(
      'eth_getBlockByNumber',
      'latest',
      false,
    )
    return { number: Number(head.number), hash: head.hash }
  }
  return { node, pools, chain, change, getHead }
}

describeEachStore('pools whose state is read', (openTestStore) => {
  const getWorld = shareFixture(startWorld)

  it('have the states of a clean run after reorgs and restarts, and price each pair', async () => {
    const { node, pools, chain, change, getHead } = getWorld()
    const store = await openTestStore()
    await change('first')
    let indexer = indexTestChain(store, chain)
    await indexer.reaches((await getHead()).hash)
    const snapshot = await node.call<string>('evm_snapshot')
    await change('replaced')
    await indexer.reaches((await getHead()).hash)
    await indexer.stop()
    await node.call('evm_revert', snapshot)
    await change('canonical')
    await change('longer')
    indexer = indexTestChain(store, chain)
    const head = await getHead()
    await indexer.reaches(head.hash)
    await indexer.stop()
    const followed = await dumpTables(store)

    const reader = new PoolReader(new ChainNode(chain.rpcUrls))
    const point = { chainId: chain.id, index: 0, block: head.number, time: 2 ** 33 }
    const window = { windowBlock: head.number, windowTime: 2 ** 33 }
    for (const { pool: address, type, factory, tokens } of pools) {
      const request = { point: { ...point, ...window }, token: tokens[0], limit: 64 }
      const loaded = await loadPools(store.db, [request])
      const pair = loaded.find(
        (each) =>
          each.address === address && each.token0 === tokens[0] && each.token1 === tokens[1],
      )
      const ofPool = [
        ...new Set(
          pools.filter((each) => each.pool === address).flatMap((each) => [...each.tokens]),
        ),
      ]
      const [read] = await reader.read([
        {
          ...{ block: head, isPrunable: false },
          run: async (call) =>
            await getPoolModel(type).readBalances?.({ address, factory, tokens: ofPool }, call, {
              time: 0,
            }),
        },
      ])
      const [first, second] = tokens.map((token) => ofPool.indexOf(token)) as [number, number]
      expect(pair && { type, reserves: [pair.reserve0, pair.reserve1] }).toEqual({
        type,
        reserves: [read?.balances[first], read?.balances[second]],
      })
      expect(pair && getSpotPrice(pair)).toEqual({
        numerator: read?.prices[first],
        denominator: read?.prices[second],
      })
    }

    await openTestStore()
    const clean = indexTestChain(store, chain)
    await clean.reaches(head.hash)
    await clean.stop()
    expect(await dumpTables(store)).toEqual(followed)
  })

  it('are unknown at blocks that nodes discarded, final or not, until the next event', async () => {
    const { node, pools, chain, change, getHead } = getWorld()
    const store = await openTestStore()
    const follow = async (options: Partial<typeof chain> = {}) => {
      const indexer = indexTestChain(store, { ...chain, ...options })
      await indexer.reaches((await getHead()).hash)
      await indexer.stop()
    }
    await follow()
    const { number: first } = await getHead()
    await change('discarded')
    await node.call('anvil_mine', '0xc8')
    await change('kept')
    const hosted = await startHostedNode(node.url, { stateBlocks: 128 })
    await follow({ rpcUrls: [hosted.url], finalityDepth: 1000, undoDepth: 1000 })
    const rows = await store.db
      .selectFrom('pool_states')
      .select(['block_number', 'prices'])
      .where('block_number', '>', first)
      .execute()
    const isUnknown = ({ prices }: (typeof rows)[number]) =>
      prices?.every((price) => String(price) === '0')
    const [discarded, kept] = [
      rows.filter(({ block_number }) => Number(block_number) <= first + 100),
      rows.filter(({ block_number }) => Number(block_number) > first + 100),
    ]
    expect(discarded.map(isUnknown)).toEqual(discarded.map(() => true))
    expect(kept.map(isUnknown)).toEqual(kept.map(() => false))
    const count = new Set(pools.map(({ pool }) => pool)).size
    expect([discarded.length, kept.length].map((length) => length >= count)).toEqual([true, true])
  })

  it('are read in one request, and their prices compared in another', async () => {
    const { node, pools, getHead } = getWorld()
    const hosted = await startHostedNode(node.url, {})
    const head = await getHead()
    const unique = new Map(pools.map((each) => [each.pool, each]))
    const counts = []
    for (const { pool: address, type, factory } of unique.values()) {
      const tokens = [
        ...new Set(pools.flatMap((each) => (each.pool === address ? each.tokens : []))),
      ]
      const reader = new PoolReader(new ChainNode([hosted.url]))
      hosted.methods.length = 0
      await reader.read([
        {
          ...{ block: head, isPrunable: false },
          run: async (call) =>
            await getPoolModel(type).readBalances?.({ address, factory, tokens }, call, {
              time: 0,
            }),
        },
      ])
      counts.push([type, hosted.methods.filter((method) => method === 'eth_call').length])
    }
    expect(counts.filter(([, count]) => Number(count) > 2)).toEqual([])
  })
})
