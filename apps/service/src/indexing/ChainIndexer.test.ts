import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { arbitraryBlocks, arbitraryWorld } from '../testing/arbitraryBlocks.ts'
import { describeEachStore } from '../testing/describeEachStore.ts'
import { dumpTables } from '../testing/dumpTables.ts'
import { HandmadeChain } from '../testing/HandmadeChain.ts'
import { indexTestChain } from '../testing/indexTestChain.ts'
import { readReplayed } from '../testing/readReplayed.ts'
import { replayChain } from '../testing/replayChain.ts'
import { startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { testChainConfig } from '../testing/testChainConfig.ts'
import { createScope } from './Scope.ts'

const { weth, factory, marketplace } = arbitraryWorld
const finalityDepth = 8

describeEachStore('ChainIndexer', (openTestStore) => {
  let node: Awaited<ReturnType<typeof startHandmadeNode>>
  beforeAll(async () => {
    node = await startHandmadeNode(new HandmadeChain())
  })
  afterAll(() => node.close())

  it('ends, after any reorgs and restarts, in the tables of a clean run of the winning chain', async () => {
    const turn = fc.record({
      depth: fc.nat(finalityDepth),
      blocks: arbitraryBlocks(1, 12),
      restart: fc.boolean(),
    })
    const world = fc.record({
      past: arbitraryBlocks(0, 30),
      turns: fc.array(turn, { maxLength: 5 }),
    })
    await fc.assert(
      fc.asyncProperty(world, async ({ past, turns }) => {
        const chain = new HandmadeChain()
        for (const events of past) chain.mine(events)
        node.chain = chain
        const config = testChainConfig(1, {
          pollIntervalMs: 10,
          rpcUrls: [node.url],
          wrappedNative: weth,
          uniswapV2Factories: [factory],
          uniswapV3Factories: [factory],
          marketplaces: [marketplace],
          finalityDepth,
        })
        const store = await openTestStore()
        let indexer = indexTestChain(store, config)
        await indexer.reaches(chain.head.hash)
        let highest = chain.head.number
        for (const { depth, blocks, restart } of turns) {
          if (restart) await indexer.stop()
          // Blocks that were once final stay, also when the chain has become shorter.
          const deepest = chain.head.number - Math.max(0, highest - finalityDepth)
          chain.reorg(Math.min(depth, deepest), blocks)
          highest = Math.max(highest, chain.head.number)
          if (restart) indexer = indexTestChain(store, config)
          await indexer.reaches(chain.head.hash)
        }
        await indexer.stop()
        const followed = await dumpTables(store)
        expect(await readReplayed(store)).toEqual(replayChain(chain, createScope(config)))

        await openTestStore()
        const clean = indexTestChain(store, config)
        await clean.reaches(chain.head.hash)
        await clean.stop()
        const expected = await dumpTables(store)
        if (highest > chain.head.number)
          for (const table of Object.keys(followed))
            if (table.startsWith('undo_')) delete followed[table]
        expect(expected).toMatchObject(followed)
      }),
      { numRuns: 12 },
    )
  }, 120_000)
})
