import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { arbitraryBlocks, arbitraryWorld } from '../../../test/arbitraryBlocks.ts'
import { describeEachStore } from '../../../test/describeEachStore.ts'
import { dumpTables } from '../../../test/dumpTables.ts'
import { FakeChain, type FakeEvent } from '../../../test/FakeChain.ts'
import { liquidityChanged, poolCreated, priceSet } from '../../../test/fakeEvents.ts'
import { indexTestChain } from '../../../test/indexTestChain.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { formatChains } from '../../repair/formatChains.ts'
import { deleteChain } from '../../store/partitions.ts'
import { BatchLimit } from '../fold/BatchLimit.ts'
import { loadBackfill } from './backfillRows.ts'

const { contracts, factory, marketplace, weth } = arbitraryWorld
const zero = testAddress(0)
const alice = testAddress(1)
/** Factories and a marketplace that are configured later. */
const late = { v2: testAddress(0x210), v3: testAddress(0x211), marketplace: testAddress(0x401) }
/** A token that is transferred, and one that only has pools. */
const moved = testAddress(0x501)
const pooled = testAddress(0x502)

const latePool = fc.constantFrom(testAddress(0x311), testAddress(0x312))
const lateToken = fc.constantFrom(moved, pooled, ...contracts)
const lateEvent: fc.Arbitrary<FakeEvent> = fc.oneof(
  fc.record({
    type: fc.constant('pair'),
    factory: fc.constant(late.v2),
    token0: lateToken,
    token1: lateToken,
    pool: fc.constant(testAddress(0x311)),
  }),
  fc
    .tuple(lateToken, lateToken)
    .map(([token0, token1]) => poolCreated(late.v3, testAddress(0x312), token0, token1)),
  fc.record({
    type: fc.constant('sync'),
    pool: latePool,
    reserve0: fc.bigInt(1n, 99n),
    reserve1: fc.bigInt(1n, 99n),
  }),
  fc
    .tuple(latePool, fc.constantFrom('swap', 'initialize'), fc.bigInt(2n ** 94n, 2n ** 98n))
    .map((args) => priceSet(...args)),
  fc
    .tuple(
      latePool,
      fc.constantFrom({ tickLower: -600, tickUpper: 600 }, { tickLower: 0, tickUpper: 60 }),
      fc.bigInt(1n, 10n ** 20n),
    )
    .map((args) => liquidityChanged(...args)),
  fc.record({
    type: fc.constant('transfer'),
    token: fc.constant(moved),
    from: fc.constant(zero),
    to: fc.constant(alice),
    amount: fc.bigInt(1n, 9n),
  }),
)

/** Blocks whose late events are behind the others, so that no pool is created between two events of one of its tokens. */
function createBlocks(count: number, seed: number): FakeEvent[][] {
  const isOfOther = (event: FakeEvent) =>
    'factory' in event
      ? event.factory === testAddress(0x201)
      : event.type === 'raw' && event.address === testAddress(0x201)
  const [blocks = []] = fc.sample(arbitraryBlocks(count, count), { numRuns: 1, seed })
  const events = fc.sample(fc.array(lateEvent, { maxLength: 2 }), { numRuns: count, seed })
  return blocks.map((block, index) => [
    ...block.filter((event) => !isOfOther(event)),
    ...(index < 5 ? [] : (events[index] ?? [])),
  ])
}

describeEachStore('a chain whose configuration changes', (openTestStore, kind) => {
  it('equals one that was indexed with the new configuration', { timeout: 120_000 }, async () => {
    const chain = new FakeChain()
    const node = await startFakeNode(chain)
    onTestFinished(() => node.close())
    const blocks = createBlocks(150, kind === 'pglite' ? 1 : 2)
    for (const events of blocks.slice(0, 115)) {
      chain.mine(events)
    }
    const store = await openTestStore()
    const before = testChainConfig(1, {
      rpcUrls: [node.url],
      wrappedNative: weth,
      pollIntervalMs: 10,
      finalityDepth: 8,
      uniswapV2Factories: [factory],
      uniswapV3Factories: [factory],
      marketplaces: [marketplace],
      // Downsampling within a commit depends on its blocks.
      priceHistory: { exactDays: 36_500, bucketMinutes: 5 },
    })
    const after = {
      ...before,
      uniswapV2Factories: [factory, late.v2],
      uniswapV3Factories: [late.v3, factory],
      marketplaces: [marketplace, late.marketplace],
    }
    const index = (config: typeof before, limit = new BatchLimit()) => {
      const indexer = indexTestChain(store, config, { limit })
      onTestFinished(() => indexer.stop())
      return indexer
    }
    const dumpFresh = async (config: typeof before) => {
      await deleteChain(store.db, 1)
      const indexer = index(config)
      await indexer.reaches(chain.head.hash)
      await indexer.stop()
      return await dumpTables(store)
    }

    const initial = await dumpFresh(before)
    expect(initial['pools']).not.toEqual([])
    // Killed midway: the chain still has the rows of its stored scope, beside states that nothing reads.
    let requests = 0
    node.transformResult = (method, _params, result) => {
      if (method === 'eth_getBlockReceipts' && ++requests > 20) {
        throw new Error('The node is away')
      }
      return result
    }
    const interrupted = index(after, new BatchLimit({ rows: 20, blocks: 10 }))
    const readBlock = async () => (await loadBackfill(store.db, 1))?.block ?? -1
    await expect.poll(readBlock).toBeGreaterThan(8)
    expect(await formatChains(store.db, { configured: [] })).toMatch(
      /adding pools and sales of new contracts: block \d+ of 10/,
    )
    await interrupted.stop()
    const { pool_states: _, pool_positions: __, pool_ranks: ___, ...rest } = await dumpTables(store)
    expect(initial).toMatchObject(rest)

    // It continues there, while blocks are added and replaced.
    const continuesAt = await readBlock()
    node.rpcRequests.length = 0
    node.transformResult = (_method, _params, result) => result
    const indexer = index(after, new BatchLimit({ rows: 20, blocks: 10 }))
    for (const events of blocks.slice(115, 130)) {
      chain.mine(events)
    }
    await indexer.reaches(chain.head.hash)
    chain.reorg(6, blocks.slice(130))
    await expect.poll(readBlock).toBe(-1)
    await indexer.reaches(chain.head.hash)
    await indexer.stop()
    const numbers = node.rpcRequests.flatMap(({ method, params }) =>
      method === 'eth_getBlockByNumber' ? [Number(params[0])] : [],
    )
    expect(numbers.filter((number) => number > 0 && number < continuesAt)).toEqual([])
    const changed = await dumpTables(store)
    const fresh = await dumpFresh(after)
    expect(changed).toEqual(fresh)
    expect(fresh['pools']?.length).toBeGreaterThan(initial['pools']?.length ?? 0)

    // Without them again.
    chain.mine([])
    const removal = index(before)
    await removal.reaches(chain.head.hash)
    await removal.stop()
    const removed = await dumpTables(store)
    expect(removed).toEqual(await dumpFresh(before))
  })
})
