import fc from 'fast-check'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { arbitraryBlocks, arbitraryWorld } from '../testing/arbitraryBlocks.ts'
import { describeEachStore } from '../testing/describeEachStore.ts'
import { dumpTables } from '../testing/dumpTables.ts'
import { liquidityChanged, nftTransfer, poolCreated, priceSet } from '../testing/handmadeEvents.ts'
import { HandmadeChain, type HandmadeEvent } from '../testing/HandmadeChain.ts'
import { indexTestChain } from '../testing/indexTestChain.ts'
import { readReplayed } from '../testing/readReplayed.ts'
import { replayChain } from '../testing/replayChain.ts'
import { testAddress } from '../testing/seedChain.ts'
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
  })

  it('has the same rows of large blocks, which travel another way, and takes them back', async () => {
    const chain = new HandmadeChain()
    node.chain = chain
    const store = await openTestStore()
    const { contracts } = arbitraryWorld
    // As many holders as rows that are worth a COPY, again and again.
    const large = (round: number) =>
      Array.from({ length: 600 }, (_, index): HandmadeEvent => {
        const contract = contracts[index % 3] ?? weth
        const move = { from: testAddress(index % 7), to: testAddress(1 + ((index * 13) % 400)) }
        if (index % 3 === 0) return nftTransfer(contract, move, BigInt(index))
        const amount = BigInt(index * round)
        return { type: 'transfer', token: contract, ...move, amount, sender: move.from }
      })
    const config = testChainConfig(1, { pollIntervalMs: 10, rpcUrls: [node.url], finalityDepth })
    const indexer = indexTestChain(store, config)
    const expectReplayed = async () => {
      await indexer.reaches(chain.head.hash)
      expect(await readReplayed(store)).toEqual(replayChain(chain, createScope(config)))
    }
    for (const round of [1, 2]) {
      chain.mine(large(round))
      for (let block = 0; block < finalityDepth; block++) chain.mine([])
      await expectReplayed()
    }
    chain.mine(large(3))
    await expectReplayed()
    chain.reorg(2, [large(4), [], large(5)])
    await expectReplayed()
    await indexer.stop()
  })

  it('knows the positions of a V3 pool as they were before a reorg', async () => {
    const chain = new HandmadeChain()
    node.chain = chain
    const store = await openTestStore()
    const [pool, token0, token1] = [0x300, 0x101, 0x102].map(testAddress) as [Hex, Hex, Hex]
    const narrow = { tickLower: -600, tickUpper: 600 }
    const wide = { tickLower: -6000, tickUpper: 6000 }
    chain.mine([
      poolCreated(factory, pool, token0, token1),
      priceSet(pool, 'initialize', 2n ** 96n),
    ])
    chain.mine([liquidityChanged(pool, narrow, 10n ** 18n)])
    chain.mine([liquidityChanged(pool, narrow, 10n ** 17n), liquidityChanged(pool, wide, 5n)])
    const config = testChainConfig(1, {
      ...{ pollIntervalMs: 10, rpcUrls: [node.url], uniswapV3Factories: [factory], finalityDepth },
    })
    const indexer = indexTestChain(store, config)
    const expectReplayed = async () => {
      await indexer.reaches(chain.head.hash)
      const { poolStates } = await readReplayed(store)
      expect(poolStates).toEqual(replayChain(chain, createScope(config)).poolStates)
      return Object.keys(poolStates).length
    }
    expect(await expectReplayed()).toBe(3)
    chain.reorg(1, [
      [liquidityChanged(pool, narrow, -(10n ** 15n))],
      [priceSet(pool, 'swap', 2n ** 96n + 1n)],
    ])
    expect(await expectReplayed()).toBe(4)
    await indexer.stop()
  })

  it('has the indexes of answers once it is synced, also where somebody dropped them', async () => {
    const store = await openTestStore()
    node.chain = new HandmadeChain()
    const found = async () => {
      const { rows } = await sql<{ indexname: string }>`
        select indexname from pg_indexes
        where indexname in ('holders_by_amount', 'collectibles_by_last_in')`.execute(store.db)
      return rows.length
    }
    for (let run = 0; run < 2; run++) {
      await sql`drop index if exists holders_by_amount, collectibles_by_last_in`.execute(store.db)
      if (run > 0) node.chain.mine([])
      const indexer = indexTestChain(store, testChainConfig(1, { rpcUrls: [node.url] }))
      await indexer.reaches(node.chain.head.hash)
      expect(await found()).toBe(2)
      await indexer.stop()
    }
  })
})
