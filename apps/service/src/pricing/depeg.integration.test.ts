import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain, testAddress } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import type { Database } from '../store/Database.ts'
import type { Store } from '../store/Store.ts'
import { loadPriceBooks } from './loadPriceBooks.ts'
import type { Prices } from './PriceBook.ts'
import { toNumber } from './toNumber.ts'

const [a, b, c, token] = [1, 2, 3, 4].map(testAddress) as [string, string, string, string]
const thin = testAddress(5)
const chainId = 100
const start = 1_700_000_000 - (1_700_000_000 % 3600)

// Three days of blocks every five minutes.
const perHour = 12
const hours = 72
const head = hours * perHour
const time = (block: number) => start + block * 300

/** What `b` is traded for, in millionths of `a` and `c`: down to 0.87 on the second day, and back on the third. */
function tradedFor(block: number): number {
  const hour = block / perHour
  const fall = Math.min(1, Math.max(0, (hour - 24) / 8))
  const recovery = Math.min(1, Math.max(0, (hour - 48) / 10))
  // The noise of honest trading, of up to 0.3 %.
  const noise = ((block * 7919) % 61) - 30
  return 1_000_000 - Math.round(130_000 * (fall - recovery)) + noise * 100
}

/** The price of `b` in one of its pools: the current one, within 1 % of the median of the past hour. */
function pooled(block: number): number {
  // The states of the window, each in force for five minutes; that of the block itself for no time.
  const past = Array.from({ length: perHour }, (_, i) => tradedFor(block - perHour + i))
  // Of two in the middle, the lower price of `a` in `b` counts.
  const median = past.toSorted((x, y) => x - y)[perHour / 2]!
  const current = tradedFor(block)
  return Math.min(Math.max(current, median / 1.01), median * 1.01) / 1_000_000
}

/** `a` and `c` agree, so that `b` counts as 1 USD while it is within 2 % of them. */
function expectedPrice(block: number): number {
  const price = pooled(block)
  return Math.abs(price - 1) > 0.02 ? price : 1
}

let store: Store
let db: Kysely<Database>
beforeAll(async () => {
  store = await openMemoryStore()
  ;({ db } = store)
  const blocks = Array.from({ length: head + 1 }, (_, block) => block)
  const e18 = 10n ** 18n
  const million = 10n ** 6n
  const states = (reserves: (block: number) => readonly [bigint, bigint]) =>
    Object.fromEntries(blocks.map((block) => [block, reserves(block)]))
  const pools = [
    {
      address: testAddress(0x10),
      token0: a,
      token1: b,
      states: states((block) => [BigInt(tradedFor(block)) * million, million * e18]),
    },
    {
      address: testAddress(0x11),
      token0: b,
      token1: c,
      states: states((block) => [million * e18, BigInt(tradedFor(block)) * e18]),
    },
    {
      address: testAddress(0x12),
      token0: a,
      token1: c,
      states: { 0: [2n * million * million, 2n * million * e18] as const },
    },
    // A stablecoin that trades at 1.25 in a thin pool.
    {
      address: testAddress(0x14),
      token0: a,
      token1: thin,
      states: { 0: [12_500n * million, 10_000n * e18] as const },
    },
    // 2 `b` for a token.
    {
      address: testAddress(0x13),
      token0: b,
      token1: token,
      states: { 0: [200_000n * e18, 100_000n * e18] as const },
    },
  ]
  await seedChain(db, {
    chainId,
    pools,
    blocks: Object.fromEntries(blocks.map((block) => [block, time(block)])),
    tokens: [a, b, c, thin, token].map((address) => ({
      address,
      decimals: address === a ? 6 : 18,
    })),
  })
})
afterAll(() => store.close())

async function loadBook(
  block: number,
  offsets: readonly number[],
  stablecoins = [a, b, c],
  quoteTokens: string[] = [],
) {
  const chain = testChainConfig(chainId, { stablecoins, quoteTokens, priceWindowMinutes: 60 })
  const at = { number: block, hash: `0x${block}`, time: time(block), metadataVersion: 0 }
  const request = { chain, head: at, tokens: [token, thin, a, b, c] }
  const book = (await loadPriceBooks(db, [request], offsets)).get(chainId)
  if (!book) {
    throw new Error('There is no price book')
  }
  return book
}

function usd(prices: Prices, address: string): number | undefined {
  const route = prices.get(address)
  const unit = address === a ? 10n ** 6n : 10n ** 18n
  return route && toNumber({ ...route.price, numerator: route.price.numerator * unit })
}

/** Compares the prices at a block with those that are computed from the trades. */
function expectPrices(prices: Prices, block: number): void {
  const expected = expectedPrice(block)
  expect(usd(prices, a)).toBe(1)
  expect(usd(prices, c)).toBe(1)
  expect(usd(prices, b), `at block ${block}`).toBeCloseTo(expected, 12)
  expect(usd(prices, token)).toBeCloseTo(2 * expected, 12)
}

/** From the first block with a window behind it on, every so many blocks; `DEPEG_STEP=1` is the complete check. */
const currentStep = Number(process.env['DEPEG_STEP'] ?? 17)

it('follows a stablecoin from 1.00 to 0.87 and back in the past prices of all blocks', async () => {
  let compared = 0
  let depegged = 0
  // The past prices of the blocks of the last hour are those of all blocks.
  for (let first = head; first > head - perHour; first--) {
    const offsets = Array.from({ length: Math.floor(first / perHour) - 1 }, (_, index) => index + 1)
    const { now, past } = await loadBook(first, offsets)
    for (const [hour, prices] of [now, ...past].entries()) {
      const block = first - hour * perHour
      expectPrices(prices, block)
      compared++
      depegged += expectedPrice(block) === 1 ? 0 : 1
    }
  }
  expect(compared).toBe(head - perHour + 1)
  expect(depegged).toBeGreaterThan(24 * perHour)
  expect(depegged).toBeLessThan(48 * perHour)
})

it('has the same current prices and warns of the depeg', async () => {
  for (let block = perHour; block <= head; block += currentStep) {
    const { now, depegged } = await loadBook(block, [])
    expectPrices(now, block)
    expect(depegged).toEqual(new Set(expectedPrice(block) === 1 ? [] : [b]))
  }
})

it('prices the lower one of two stablecoins that differ, whichever has more liquidity', async () => {
  for (const stablecoins of [
    [a, b],
    [b, a],
  ]) {
    const { now, depegged } = await loadBook(40 * perHour, [], stablecoins)
    expect(depegged).toEqual(new Set([b]))
    expect(usd(now, b)).toBeCloseTo(expectedPrice(40 * perHour), 12)
  }
})

it('is not moved by a thin stablecoin above the other one', async () => {
  const { now, depegged } = await loadBook(40 * perHour, [], [a, thin], [c])
  expect(depegged).toEqual(new Set([thin]))
  expect(usd(now, a)).toBe(1)
  expect(usd(now, thin)).toBeCloseTo(1.25, 12)
})

it('cannot detect the depeg of a single stablecoin', async () => {
  const { now, depegged } = await loadBook(40 * perHour, [], [b])
  expect(depegged).toEqual(new Set())
  expect(usd(now, b)).toBe(1)
})
