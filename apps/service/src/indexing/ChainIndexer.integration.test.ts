import fc from 'fast-check'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { arbitraryBlocks, arbitraryWorld } from '../../test/arbitraryBlocks.ts'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { dumpTables } from '../../test/dumpTables.ts'
import { FakeChain, type FakeEvent } from '../../test/FakeChain.ts'
import { liquidityChanged, nftTransfer, poolCreated, priceSet } from '../../test/fakeEvents.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { readReplayed } from '../../test/readReplayed.ts'
import { replayChain } from '../../test/replayChain.ts'
import { testAddress } from '../../test/seedChain.ts'
import { startFakeNode } from '../../test/startFakeNode.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { mapVenues } from '../pricing/venues/venues.ts'
import { createScope } from './decode/Scope.ts'
import { BatchLimit } from './fold/BatchLimit.ts'
import { loadCursor } from './follow/Cursor.ts'

const { weth, factory, marketplace } = arbitraryWorld
const finalityDepth = 8

const arbitraryReorg = fc.record({
  depth: fc.nat(finalityDepth),
  blocks: arbitraryBlocks(1, 12),
  hasRestart: fc.boolean(),
  /** Whether the blocks are indexed before the next ones, so that a reorg may also replace some that are not. */
  isAwaited: fc.boolean(),
})
const arbitraryHistory = (minBlocks: number, minReorgs: number, maxReorgs: number) =>
  fc.record({
    past: arbitraryBlocks(minBlocks, 30),
    /** The most rows of a commit. */
    rows: fc.constantFrom(1, 5, 100_000),
    reorgs: fc.array(arbitraryReorg, { minLength: minReorgs, maxLength: maxReorgs }),
  })

/**
 * PostgreSQL runs the same SQL in a fraction of the time, so that it explores the histories; one of them, which has several
 * reorgs, runs on PGlite.
 */
const properties = {
  postgres: { history: arbitraryHistory(0, 0, 5), numRuns: 12 },
  pglite: { history: arbitraryHistory(15, 3, 4), numRuns: 1 },
}

describeEachStore('ChainIndexer', (openTestStore, kind) => {
  let node: Awaited<ReturnType<typeof startFakeNode>>
  beforeAll(async () => {
    node = await startFakeNode(new FakeChain())
  })
  afterAll(() => node.close())

  it('has the tables of a clean run of the canonical chain after any reorgs and restarts', async () => {
    const { history, numRuns } = properties[kind]
    await fc.assert(
      fc.asyncProperty(history, async ({ past, rows, reorgs }) => {
        const chain = new FakeChain()
        for (const events of past) {
          chain.mine(events)
        }
        node.chain = chain
        const config = testChainConfig(1, {
          pollIntervalMs: 10,
          rpcUrls: [node.url],
          wrappedNative: weth,
          ...mapVenues(() => [factory]),
          marketplaces: [marketplace],
          finalityDepth,
        })
        const store = await openTestStore()
        const limit = new BatchLimit({ rows, blocks: 20_000 })
        let indexer = indexTestChain(store, config, { limit })
        let highest = chain.head.number
        for (const { depth, blocks, hasRestart, isAwaited } of reorgs) {
          if (isAwaited) {
            await indexer.reaches(chain.head.hash)
          }
          if (hasRestart) {
            await indexer.stop()
          }
          // Final blocks remain final, also when a reorg shortens the chain.
          const maxDepth = chain.head.number - Math.max(0, highest - finalityDepth)
          chain.reorg(Math.min(depth, maxDepth), blocks)
          highest = Math.max(highest, chain.head.number)
          if (hasRestart) {
            indexer = indexTestChain(store, config, { limit })
          }
        }
        await indexer.reaches(chain.head.hash)
        await indexer.stop()
        const followed = await dumpTables(store)
        expect(await readReplayed(store)).toEqual(replayChain(chain, createScope(config)))

        await openTestStore()
        const clean = indexTestChain(store, config)
        await clean.reaches(chain.head.hash)
        await clean.stop()
        const expected = await dumpTables(store)
        // A store that had a higher head has more final blocks, and so fewer images.
        if (highest > chain.head.number) {
          for (const table of Object.keys(followed)) {
            if (table.startsWith('undo_')) {
              delete followed[table]
            }
          }
        }
        expect(expected).toMatchObject(followed)
      }),
      { numRuns },
    )
  })

  it('writes large blocks, which use COPY, and undoes them', async () => {
    const chain = new FakeChain()
    node.chain = chain
    const store = await openTestStore()
    const { contracts } = arbitraryWorld
    // By default, enough changed rows per table for COPY.
    const createEvents = (round: number, length = 3_300) =>
      Array.from({ length }, (_, index): FakeEvent => {
        const contract = contracts[index % 3] ?? weth
        const parties = {
          from: testAddress(index % 7),
          to: testAddress(1 + ((index * 13) % 2_000)),
        }
        if (index % 3 === 0) {
          return nftTransfer(contract, parties, BigInt(index))
        }
        const amount = BigInt(index * round)
        return { type: 'transfer', token: contract, ...parties, amount, sender: parties.from }
      })
    const config = testChainConfig(1, { pollIntervalMs: 10, rpcUrls: [node.url], finalityDepth })
    const indexer = indexTestChain(store, config)
    const expectReplayed = async () => {
      await indexer.reaches(chain.head.hash)
      expect(await readReplayed(store)).toEqual(replayChain(chain, createScope(config)))
    }
    for (const round of [1, 2]) {
      chain.mine(createEvents(round, round * 1_650))
      for (let block = 0; block < finalityDepth; block++) {
        chain.mine([])
      }
      await expectReplayed()
    }
    chain.mine(createEvents(3))
    await expectReplayed()
    chain.reorg(2, [createEvents(4, 300), [], createEvents(5)])
    await expectReplayed()
    await indexer.stop()
  })

  it('commits after `beforeCommit`', async () => {
    const chain = new FakeChain()
    node.chain = chain
    chain.mine([])
    const store = await openTestStore()
    const config = testChainConfig(1, { pollIntervalMs: 10, rpcUrls: [node.url], finalityDepth })
    const called = Promise.withResolvers<void>()
    const published = Promise.withResolvers<void>()
    const indexer = indexTestChain(store, config, {
      beforeCommit() {
        called.resolve()
        return published.promise
      },
    })
    await called.promise
    expect((await loadCursor(store.db, 1))?.block).toBeUndefined()
    published.resolve()
    await indexer.reaches(chain.head.hash)
    await indexer.stop()
  })

  it('restores the positions of a V3 pool in a reorg', async () => {
    const chain = new FakeChain()
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
      pollIntervalMs: 10,
      rpcUrls: [node.url],
      uniswapV3Factories: [factory],
      finalityDepth,
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

  it('gives an ERC721 token to the latest recipient, whichever sender its log states', async () => {
    const chain = new FakeChain()
    node.chain = chain
    const store = await openTestStore()
    const contract = testAddress(0x101)
    const zero = testAddress(0)
    const a = testAddress(1)
    const b = testAddress(2)
    const c = testAddress(3)
    const mint = (to: Hex, id: bigint) => nftTransfer(contract, { from: zero, to }, id)
    chain.mine([mint(a, 1n), mint(a, 2n), mint(a, 3n), mint(a, 3n)])
    chain.mine([mint(b, 1n), nftTransfer(contract, { from: c, to: b }, 2n)])
    const config = testChainConfig(1, { pollIntervalMs: 10, rpcUrls: [node.url], finalityDepth })
    const indexer = indexTestChain(store, config)
    const loadOwned = async () => {
      await indexer.reaches(chain.head.hash)
      const { collectibles, balances } = await readReplayed(store)
      const owned = Object.entries(collectibles).flatMap(([key, { amount }]) =>
        amount === 0n ? [] : [[key, amount]],
      )
      const counts = Object.entries(balances).flatMap(([key, { amount }]) =>
        amount === 0n ? [] : [[key, amount]],
      )
      return Object.fromEntries([...owned, ...counts]) as unknown
    }
    expect(await loadOwned()).toEqual({
      [`${contract} 1 ${b}`]: 1n,
      [`${contract} 2 ${b}`]: 1n,
      [`${contract} 3 ${a}`]: 1n,
      [`721 ${contract} ${a}`]: 1n,
      [`721 ${contract} ${b}`]: 2n,
    })
    chain.reorg(1, [[], []])
    expect(await loadOwned()).toEqual({
      [`${contract} 1 ${a}`]: 1n,
      [`${contract} 2 ${a}`]: 1n,
      [`${contract} 3 ${a}`]: 1n,
      [`721 ${contract} ${a}`]: 3n,
    })
    await indexer.stop()
  })

  it('creates missing read indexes before it is synced, also after a restart', async () => {
    const store = await openTestStore()
    node.chain = new FakeChain()
    const countIndexes = async () => {
      const { rows } = await sql<{ indexname: string }>`
        select indexname from pg_indexes
        where indexname in ('balances_1_by_rank', 'collectible_balances_1_by_last_in')`.execute(
        store.db,
      )
      return rows.length
    }
    for (let run = 0; run < 2; run++) {
      await sql`drop index if exists balances_1_by_rank, collectible_balances_1_by_last_in`.execute(
        store.db,
      )
      if (run > 0) {
        node.chain.mine([])
      }
      const indexer = indexTestChain(store, testChainConfig(1, { rpcUrls: [node.url] }))
      await indexer.reaches(node.chain.head.hash)
      expect(await countIndexes()).toBe(2)
      await indexer.stop()
    }
  })
})
