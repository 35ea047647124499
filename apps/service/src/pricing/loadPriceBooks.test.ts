import { expect, it } from 'vitest'
import { describeEachStore } from '../../test/describeEachStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { loadPriceBooks } from './loadPriceBooks.ts'
import type { Prices } from './PriceBook.ts'
import { PriceCache } from './PriceCache.ts'
import { toNumber } from './toNumber.ts'

const [usd, weth, token, other] = [1, 2, 3, 4].map(testAddress) as [string, string, string, string]
const hour = 3600
const start = 1_700_000_000
const e18 = 10n ** 18n

const chain = testChainConfig(7, { wrappedNative: weth, stablecoins: [usd] })

const seeded = {
  chainId: 7,
  // Two blocks of one time, and an hour without any.
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
    // No hub on either side.
    {
      address: testAddress(0x13),
      token0: token,
      token1: other,
      states: { 1: [e18, e18] } as const,
    },
  ],
}

/** The newest block. */
const newest = { number: 4, hash: '0x4', time: seeded.blocks[4], metadataVersion: 0 }

function price(prices: Prices | undefined, address: string, decimals = 18): number | undefined {
  const route = prices?.get(address)
  if (!route) {
    return undefined
  }
  const { numerator, denominator } = route.price
  return toNumber({ numerator: numerator * 10n ** BigInt(decimals), denominator })
}

describeEachStore('loadPriceBooks', (openTestStore) => {
  const books = async (offsets: number[], tokens = [token, other], head = 4) => {
    const { db } = await openTestStore()
    await seedChain(db, seeded)
    // A neighbour with the same addresses has no say.
    await seedChain(db, {
      ...seeded,
      chainId: 8,
      pools: [{ ...seeded.pools[0]!, states: { 1: [1n, e18] } }],
    })
    const request = { chain, head: { ...newest, number: head }, tokens }
    return (await loadPriceBooks(db, [request], offsets)).get(7)
  }

  it('prices what was asked for and every hub, at the head', async () => {
    const book = await books([])
    expect(price(book?.now, token)).toBe(20)
    expect(price(book?.now, weth)).toBe(2000)
    expect(price(book?.now, usd, 6)).toBe(1)
    expect(book?.past).toEqual([])
  })

  it('never routes over a token that is no hub', async () => {
    const book = await books([])
    expect(price(book?.now, other)).toBeUndefined()
  })

  it('knows no token that was not asked for', async () => {
    const book = await books([], [])
    expect([...(book?.now.keys() ?? [])].sort()).toEqual([usd, weth])
  })

  it('sees no state after the head', async () => {
    expect(price((await books([], [token], 3))?.now, token)).toBe(15)
  })

  it('prices the past by the last block at or before the moment, in the order asked', async () => {
    const book = await books([1, 2, 3, 4, 5])
    // One hour before the head, block 3 stands; two hours before and three hours before, block 2.
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
  })

  it('holds a stablecoin at 1 USD from its first block on', async () => {
    const book = await books([3, 4, 5])
    expect(book?.past.map((prices) => price(prices, usd, 6))).toEqual([1, undefined, undefined])
  })

  it('prices by a V3 pool once it is the deeper one, now and in the past', async () => {
    const { db } = await openTestStore()
    const v3 = testAddress(0x21)
    await seedChain(db, {
      ...seeded,
      pools: [
        ...seeded.pools,
        {
          address: v3,
          token0: weth,
          token1: token,
          // 16 and 25 tokens a weth; in block 3 it is out of range.
          states: {
            2: [9n * e18, 90n * e18, 4n << 96n],
            3: [0n, 0n, 4n << 96n],
            4: [9n * e18, 90n * e18, 5n << 96n],
          },
        },
      ],
    })
    const book = (await loadPriceBooks(db, [{ chain, head: newest, tokens: [token] }], [1, 2])).get(
      7,
    )
    expect(price(book?.now, token)).toBe(80)
    expect(book?.now.get(token)?.legs).toEqual([
      { type: 'uniswap-v3', address: v3, tokens: [token, weth] },
      { type: 'uniswap-v2', address: testAddress(0x11), tokens: [weth, usd] },
    ])
    expect(book?.past.map((prices) => price(prices, token))).toEqual([15, 93.75])
  })

  it('remembers what it found at a head, token by token, and forgets nothing of another head', async () => {
    const { db } = await openTestStore()
    await seedChain(db, seeded)
    const memory = new PriceCache()
    const ask = async (tokens: string[], head = newest) => {
      const books = await loadPriceBooks(db, [{ chain, head, tokens }], [1], memory)
      return books.get(7)
    }
    const first = await ask([other])
    const both = await ask([other, token])
    expect(first?.now.has(token)).toBe(false)
    // Without its pools nothing could be found again.
    await db.deleteFrom('pools').execute()
    expect(await ask([other])).toEqual(first)
    expect(await ask([token, other])).toEqual(both)
    expect((await ask([token]))?.now.get(token)).toEqual(both?.now.get(token))
    expect((await ask([token]))?.past[0]?.get(weth)).toEqual(both?.past[0]?.get(weth))
    expect(price((await ask([token]))?.now, token)).toBe(20)
    expect((await ask([token], { ...newest, hash: '0x5' }))?.now.has(token)).toBe(false)
    expect((await ask([token], { ...newest, metadataVersion: 1 }))?.now.has(token)).toBe(false)
  })

  it('takes any number of hours', async () => {
    const book = await books([Number.MAX_SAFE_INTEGER, 1e300])
    expect(book?.past.map((prices) => prices.size)).toEqual([0, 0])
  })

  it('prices nothing by a stablecoin of unknown decimals', async () => {
    const { db } = await openTestStore()
    await seedChain(db, { ...seeded, tokens: [{ address: usd, decimals: null }] })
    const book = (await loadPriceBooks(db, [{ chain, head: newest, tokens: [token] }], [])).get(7)
    expect(book?.now.size).toBe(0)
  })
})
