import { type Hex, hexToNumber } from 'viem'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type DevnetChain, devnetOne, type Scenario, startChain } from '@headwater/devnet'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { indexTestChain } from '../../test/indexTestChain.ts'
import { maxRounding, readChainPrices } from '../../test/readChainPrices.ts'
import { replayPrices } from '../../test/replay/replayPrices.ts'
import { parseConfig } from '../config/parseConfig.ts'
import { fillPendingTokens } from '../metadata/fillPendingTokens.ts'
import type { Store } from '../store/Store.ts'
import { loadPriceBooks } from './loadPriceBooks.ts'
import { multiply } from './Rational.ts'
import type { Route } from './Route.ts'
import { toNumber } from './toNumber.ts'

let chain: DevnetChain
beforeAll(async () => {
  // More than two hundred blocks, of which the node has the state of all, with four or five in a window.
  const scenario = openEarly({ ...devnetOne, secondsBetweenBlocks: 800 })
  chain = await startChain({ scenario, days: 2, live: false })
})
afterAll(() => chain.stop())

function openEarly({ venues, ...scenario }: Scenario): Scenario {
  const pools = venues?.pools.map((pool) => ({ ...pool, appearsAt: Math.min(pool.appearsAt, 10) }))
  return { ...scenario, ...(venues && pools && { venues: { ...venues, pools } }) }
}

interface Head {
  readonly number: number
  readonly hash: string
  readonly time: number
  readonly metadataVersion: number
}

async function blockAt(tag: string | number): Promise<Head> {
  const name = typeof tag === 'number' ? `0x${tag.toString(16)}` : tag
  const { number, hash, timestamp } = await chain.rpc.call<Record<string, Hex>>(
    ...(['eth_getBlockByNumber', name, false] as const),
  )
  if (!number || !hash || !timestamp) {
    throw new Error(`There is no block ${name}`)
  }
  return { number: hexToNumber(number), hash, time: hexToNumber(timestamp), metadataVersion: 0 }
}

/** The last block at or before a time, by a linear search. */
async function blockBefore(head: Head, time: number): Promise<Head> {
  let block = head
  while (block.time > time) {
    block = await blockAt(block.number - 1)
  }
  return block
}

/** Compares to 12 digits. */
function expectNear(actual: number | undefined, expected: number, what: string, rounding = 0) {
  const difference = Math.abs((actual ?? NaN) - expected)
  expect(difference, what).toBeLessThan(1e-12 * expected + rounding)
}

function expectPrices(
  routes: ReadonlyMap<string, Route>,
  expected: Awaited<ReturnType<typeof readChainPrices>>,
) {
  const decimals = new Map(chain.tokens.map((token) => [token.address.toLowerCase(), token]))
  const priced = [...expected.keys()].filter((token) => decimals.has(token))
  expect([...routes.keys()].toSorted()).toEqual(priced.toSorted())
  for (const [address, { price, depth, pool }] of expected) {
    const route = routes.get(address)
    const token = decimals.get(address)
    if (!route || !token) {
      throw new Error(`${address} is not priced`)
    }
    expect(route.legs[0]?.address, token.symbol).toBe(pool?.toLowerCase())
    const unit = 10n ** BigInt(token.decimals)
    expectNear(toNumber(multiply(route.price, unit)), price, `price of ${token.symbol}`)
    if (depth === Infinity) {
      expect(route.poolSize).toBeUndefined()
    } else {
      const size = route.poolSize && toNumber(route.poolSize)
      expectNear(size, depth, `depth of ${token.symbol}`, maxRounding)
    }
  }
}

describeEachStore('prices of a devnet', (openTestStore, kind) => {
  /** Compares the prices at the head and at offsets with calls of the pools at those blocks. */
  async function compare(store: Store, offsets: readonly number[]) {
    const head = await blockAt('latest')
    const { chains } = parseConfig(JSON.stringify({ chains: [chain.config] }), 'devnet')
    const [config] = chains
    if (!config) {
      throw new Error('There is no chain')
    }
    const indexer = indexTestChain(store, config)
    await indexer.reaches(head.hash)
    while (
      (await fillPendingTokens(store.db, indexer.node, config.id, AbortSignal.timeout(60_000))) > 0
    ) {
      // Repeats until no token is pending.
    }
    await indexer.stop()
    const tokens = chain.tokens.map(({ address }) => address.toLowerCase())
    const books = await loadPriceBooks(store.db, [{ chain: config, head, tokens }], offsets)
    const book = books.get(config.id)
    if (!book) {
      throw new Error('There is no price book')
    }
    expectPrices(book.now, await readChainPrices(chain, head.number))
    for (const [index, hours] of offsets.entries()) {
      const block = await blockBefore(head, head.time - hours * 3600)
      expectPrices(book.past[index] ?? new Map(), await readChainPrices(chain, block.number))
    }
    return book
  }

  /** Compares prices in the window with a replay of all events at many blocks. */
  async function compareWithReplay(store: Store, count: number) {
    const head = await blockAt('latest')
    const configs = JSON.stringify({ chains: [{ ...chain.config, priceWindowMinutes: 60 }] })
    const [config] = parseConfig(configs, 'devnet').chains
    if (!config) {
      throw new Error('There is no chain')
    }
    const all = [...chain.tokens, ...(chain.venues?.tokens ?? [])]
    const tokens = all.map(({ address }) => address.toLowerCase())
    const decimals = new Map(all.map((token) => [token.address.toLowerCase(), token]))
    const replay = await replayPrices(chain)
    const types = new Set<string>()
    let priced = 0
    let bounded = 0
    for (let index = 0; index < count; index++) {
      const block = await blockAt(head.number - Math.floor((head.number * index) / count))
      const request = { chain: config, head: block, tokens }
      const book = (await loadPriceBooks(store.db, [request], [])).get(config.id)
      const expected = replay(block.number, 60)
      expect(book?.depegged).toEqual(new Set())
      for (const token of tokens) {
        const route = book?.now.get(token)
        const price = expected.get(token)
        const { symbol = '', decimals: digits = 18 } = decimals.get(token) ?? {}
        const what = `${symbol} at block ${block.number}`
        expect(route !== undefined, what).toBe(price !== undefined)
        if (!route || !price) {
          continue
        }
        priced++
        types.add(route.legs[0]?.type ?? '')
        bounded += route.legs.some(({ assessed }) => assessed.isBounded) ? 1 : 0
        const usd = toNumber(multiply(route.price, 10n ** BigInt(digits)))
        expect(Math.abs(usd / price.price - 1), `price of ${what}`).toBeLessThan(1e-9)
        expect(route.legs[0]?.address, what).toBe(price.pool)
        if (price.depth !== Infinity) {
          const size = route.poolSize ? toNumber(route.poolSize) : NaN
          expect(Math.abs(size / price.depth - 1), `size of ${what}`).toBeLessThan(1e-6)
        }
      }
    }
    expect(priced).toBeGreaterThan(count)
    const ofVenues = (chain.venues?.pools ?? []).map(({ type }) => type)
    expect([...types]).toEqual(expect.arrayContaining(ofVenues))
    expect(bounded).toBeGreaterThan(0)
  }

  it('equal those of calls to the pools, to 12 digits, at the head and before', async () => {
    const store = await openTestStore()
    const book = await compare(store, [1, 5, 12, 24, 40, 47])
    const kinds = new Set(
      [...book.now.values()].flatMap(({ legs }) => legs.map(({ type }) => type)),
    )
    expect(kinds).toEqual(new Set(['uniswap-v2', 'uniswap-v3']))
    // Otherwise past prices would not be distinguishable.
    const weth = chain.config.wrappedNative.toLowerCase()
    const prices = [book.now, ...book.past].map((routes) => routes.get(weth)?.price)
    expect(new Set(prices.map((price) => price && toNumber(price))).size).toBeGreaterThan(5)

    const [pool] = chain.concentratedPools
    if (!pool) {
      throw new Error('There is no V3 pool')
    }
    const from = chain.accounts.find(({ name }) => name === 'ranger')?.address ?? '0x'
    await chain.mineTraffic()
    await chain.swapConcentrated({ pool, from, tokenIn: pool.quote.address, amountIn: 10n ** 9n })
    await chain.mineTraffic()
    await compare(store, [1])
    await chain.reorg(2)
    await chain.mine(1)
    await compare(store, [1])
    await compareWithReplay(store, kind === 'postgres' ? 200 : 40)
  })
})
