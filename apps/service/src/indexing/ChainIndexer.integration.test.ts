import { type DevnetChain, devnetOne, startChain } from '@headwater/devnet'
import { type Hex, keccak256 } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChainNode } from '../rpc/ChainNode.ts'
import { describeEachStore } from '../testing/describeEachStore.ts'
import { expectChainBalances } from '../testing/expectChainBalances.ts'
import { indexTestChain } from '../testing/indexTestChain.ts'
import { testChainConfig } from '../testing/testChainConfig.ts'
import { createBloomFilter } from '../rpc/createBloomFilter.ts'

const configOf = ({ chainId, config }: DevnetChain) =>
  testChainConfig(chainId, { ...config, pollIntervalMs: 20 })

describeEachStore('ChainIndexer on a real node', (openTestStore) => {
  let chain: DevnetChain
  beforeAll(async () => {
    chain = await startChain({ scenario: devnetOne, days: 2, live: false })
  })
  afterAll(() => chain.stop())

  const headHash = async () => {
    const head = await chain.rpc.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false)
    return head.hash
  }

  it('has every balance that the contracts have, through a past, a present and reorgs', async () => {
    const store = await openTestStore()
    const indexer = indexTestChain(store, configOf(chain))
    await indexer.reaches(await headHash())
    const past = await expectChainBalances(store, chain)
    expect(past).toBeGreaterThan(50)

    const [actor] = chain.actors
    if (!actor) throw new Error('The devnet has no actors')
    await chain.deposit({ from: actor.address, amount: 10n ** 18n })
    await chain.withdraw({ from: actor.address, amount: 10n ** 17n })
    for (let block = 0; block < 8; block++) await chain.live()
    await indexer.reaches(await headHash())
    await expectChainBalances(store, chain)

    for (const depth of [5, 1, 8]) {
      await chain.reorg(depth)
      await chain.live()
      await indexer.reaches(await headHash())
      await expectChainBalances(store, chain)
    }
    await indexer.stop()
  })

  it('has the liquidity tokens of pools, and the wrapped native asset', async () => {
    const store = await openTestStore()
    const indexer = indexTestChain(store, configOf(chain))
    await indexer.reaches(await headHash())
    await indexer.stop()
    const held = await store.db
      .selectFrom('balances')
      .innerJoin('pools', (join) =>
        join
          .onRef('pools.chain_id', '=', 'balances.chain_id')
          .onRef('pools.address', '=', 'balances.token'),
      )
      .where('amount', '>', '0')
      .select('pools.address')
      .distinct()
      .execute()
    expect(held).toHaveLength(chain.pools.length)
  })

  it('finds the topics of every log in the bloom of its block, and few others', async () => {
    const node = new ChainNode(chain.config.rpcUrls)
    const head = await node.getHead()
    const blocks = await node.getHeaders(0, head.number)
    const found = { written: 0, blocks: 0, others: 0 }
    for (const { number, hash, logsBloom } of blocks) {
      const filter = { blockHash: hash }
      const logs = await chain.rpc.call<{ topics: string[] }[]>('eth_getLogs', filter)
      for (const topic of logs.flatMap(({ topics }) => topics)) {
        found.written++
        expect(createBloomFilter([topic])(logsBloom), `block ${number}`).toBe(true)
      }
      found.blocks++
      if (createBloomFilter([keccak256(hash as Hex)])(logsBloom)) found.others++
    }
    expect(found.written).toBeGreaterThan(100)
    expect(found.others).toBeLessThan(found.blocks / 10)
  })

  it('reads native balances at a block by its hash', async () => {
    const store = await openTestStore()
    const indexer = indexTestChain(store, configOf(chain))
    const hash = await headHash()
    await indexer.reaches(hash)
    const [actor] = chain.actors
    if (!actor) throw new Error('The devnet has no actors')
    const head = await indexer.node.getHead()
    const before = await indexer.node.getNativeBalance(actor.address, head)
    await chain.deposit({ from: actor.address, amount: 5n })
    expect(await indexer.node.getNativeBalance(actor.address, head)).toBe(before)
    const later = await indexer.node.getHead()
    expect(await indexer.node.getNativeBalance(actor.address, later)).toBeLessThan(before)
    await indexer.stop()
  })
})
