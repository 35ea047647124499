import type { Kysely } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { Database } from '../store/Database.ts'
import { loadPriceBooks } from './loadPriceBooks.ts'
import type { Prices } from './PriceBook.ts'
import { PriceCache } from './PriceCache.ts'
import { toNumber } from './toNumber.ts'

const [usd, weth, token, other] = [1, 2, 3, 4].map(testAddress) as [string, string, string, string]
const hour = 3600
const start = 1_700_000_000
const e18 = 10n ** 18n

const chainOf = (chainId: number) =>
  testChainConfig(chainId, { wrappedNative: weth, stablecoins: [usd] })
const chain = chainOf(7)

const seeded = {
  chainId: 7,
  // Two blocks at the same time, and an hour without blocks.
  blocks: { 0: start, 1: start + hour, 2: start + hour, 3: start + 3 * hour, 4: start + 4 * hour },
  tokens: [
    { address: usd, decimals: 6, firstBlock: 1 },
    { address: weth },
    { address: token },
    { address: other },
  ],
  pools: [
    {
      address: testAddress(0x11),
      token0: usd,
      token1: weth,
      states: {
        1: [1000n * 10n ** 6n, e18],
        2: [1500n * 10n ** 6n, e18],
        4: [2000n * 10n ** 6n, e18],
      } as const,
    },
    {
      address: testAddress(0x12),
      token0: weth,
      token1: token,
      states: { 3: [e18, 100n * e18] } as const,
    },
    // Without a quote token, and without a route before block 3.
    {
      address: testAddress(0x13),
      token0: token,
      token1: other,
      states: { 1: [e18, e18] } as const,
    },
  ],
}

const head = { number: 4, hash: '0x4', time: seeded.blocks[4], metadataVersion: 0 }

function price(prices: Prices | undefined, address: string, decimals = 18): number | undefined {
  const route = prices?.get(address)
  if (!route) {
    return undefined
  }
  const { numerator, denominator } = route.price
  return toNumber({ numerator: numerator * 10n ** BigInt(decimals), denominator })
}

describeEachStore('loadPriceBooks', (openTestStore) => {
  let db: Kysely<Database>
  beforeAll(async () => {
    ;({ db } = await openTestStore())
    await seedChain(db, seeded)
    // Another chain with the same addresses and other prices.
    await seedChain(db, {
      ...seeded,
      chainId: 8,
      pools: [{ ...seeded.pools[0]!, states: { 1: [1n, e18] } }],
    })
  })

  const loadBook = async (offsets: number[], tokens = [token, other], number = head.number) => {
    const request = { chain, head: { ...head, number }, tokens }
    return (await loadPriceBooks(db, [request], offsets)).get(7)
  }

  it('prices the requested tokens and every quote token at the head', async () => {
    const book = await loadBook([])
    expect(price(book?.now, token)).toBe(20)
    expect(price(book?.now, weth)).toBe(2000)
    expect(price(book?.now, usd, 6)).toBe(1)
    expect(book?.past).toEqual([])
    expect(price(book?.now, other)).toBe(20)

    const withoutTokens = await loadBook([], [])
    expect([...(withoutTokens?.now.keys() ?? [])].sort()).toEqual([usd, weth])
  })

  it('ignores states after the head', async () => {
    expect(price((await loadBook([], [token], 3))?.now, token)).toBe(15)
  })

  it('prices offsets by the last block at or before them, in their order', async () => {
    const book = await loadBook([1, 2, 3, 4, 5])
    // The block of the first offset is 3, that of the next two is 2.
    expect(book?.past.map((prices) => price(prices, weth))).toEqual([
      1500,
      1500,
      1500,
      undefined,
      undefined,
    ])
    expect(book?.past.map((prices) => price(prices, token))).toEqual([
      15,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    // A stablecoin is priced from its first block on.
    expect(book?.past.map((prices) => price(prices, usd, 6))).toEqual([
      1,
      1,
      1,
      undefined,
      undefined,
    ])
  })

  it('supports offsets of any size', async () => {
    const book = await loadBook([Number.MAX_SAFE_INTEGER, 1e300])
    expect(book?.past.map((prices) => prices.size)).toEqual([0, 0])
  })

  it('prices by a V3 pool where it is the deepest one, now and in the past', async () => {
    const v3 = testAddress(0x21)
    await seedChain(db, {
      ...seeded,
      chainId: 9,
      pools: [
        {
          ...seeded.pools[0]!,
          states: {
            1: [100_000n * 10n ** 6n, 100n * e18],
            2: [150_000n * 10n ** 6n, 100n * e18],
            4: [200_000n * 10n ** 6n, 100n * e18],
          },
        },
        ...seeded.pools.slice(1),
        {
          address: v3,
          token0: weth,
          token1: token,
          // 16 and 25 tokens per weth; out of range in block 3.
          states: {
            2: [9n * e18, 90n * e18, 4n << 96n],
            3: [0n, 0n, 4n << 96n],
            4: [9n * e18, 90n * e18, 5n << 96n],
          },
        },
      ],
    })
    const request = { chain: chainOf(9), head, tokens: [token] }
    const book = (await loadPriceBooks(db, [request], [1, 2])).get(9)
    expect(price(book?.now, token)).toBe(80)
    expect(book?.now.get(token)?.legs).toMatchObject([
      { type: 'uniswap-v3', address: v3, tokens: [token, weth] },
      { type: 'uniswap-v2', address: testAddress(0x11), tokens: [weth, usd] },
    ])
    expect(book?.past.map((prices) => price(prices, token))).toEqual([15, 93.75])
  })

  it('prices by a stable pool of tokens with other decimals, and by a pool with an id', async () => {
    const stable = testAddress(0x31)
    const id = `0x${'ab'.repeat(32)}` as const
    await seedChain(db, {
      ...seeded,
      chainId: 12,
      pools: [
        {
          address: stable,
          kind: 'solidly-stable',
          token0: usd,
          token1: other,
          states: { 1: [10n ** 12n, 10n ** 6n * e18] },
        },
        {
          address: id,
          kind: 'uniswap-v4',
          token0: other,
          token1: token,
          states: { 1: [10n ** 4n * e18, 4n * 10n ** 4n * e18, 2n << 96n] },
        },
      ],
    })
    const request = { chain: chainOf(12), head, tokens: [token, other] }
    const book = (await loadPriceBooks(db, [request], [])).get(12)
    expect(price(book?.now, other)).toBe(1)
    expect(price(book?.now, token)).toBe(0.25)
    expect(book?.now.get(token)?.legs).toMatchObject([
      { type: 'uniswap-v4', address: id, tokens: [token, other] },
      { type: 'solidly-stable', address: stable, tokens: [other, usd] },
    ])
  })

  it('caches routes by head and token', async () => {
    await seedChain(db, { ...seeded, chainId: 10 })
    const cache = new PriceCache()
    const load = async (tokens: string[], at = head) => {
      const request = { chain: chainOf(10), head: at, tokens }
      return (await loadPriceBooks(db, [request], [1], cache)).get(10)
    }
    const first = await load([other])
    const both = await load([other, token])
    expect(first?.now.has(token)).toBe(false)
    expect(price(first?.now, other)).toBe(20)
    // Without pools, routes can only come from the cache.
    await db.deleteFrom('pools').where('chain_id', '=', 10).execute()
    expect((await load([other]))?.now).toEqual(first?.now)
    expect((await load([token, other]))?.now).toEqual(both?.now)
    const cached = await load([token])
    expect(cached?.now.get(token)).toEqual(both?.now.get(token))
    expect(cached?.past[0]?.get(weth)).toEqual(both?.past[0]?.get(weth))
    expect(price(cached?.now, token)).toBe(20)
    expect((await load([token], { ...head, hash: '0x5' }))?.now.has(token)).toBe(false)
    expect((await load([token], { ...head, metadataVersion: 1 }))?.now.has(token)).toBe(false)
  })

  it('has no prices without the decimals of a stablecoin', async () => {
    await seedChain(db, { ...seeded, chainId: 11, tokens: [{ address: usd, decimals: null }] })
    const request = { chain: chainOf(11), head, tokens: [token] }
    expect((await loadPriceBooks(db, [request], [])).get(11)?.now.size).toBe(0)
  })
})
