import { setTimeout as delay } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import { seedChain, type SeededChain, testAddress } from '../../test/seedChain.ts'
import { testChainConfig } from '../../test/testChainConfig.ts'
import { findPriceDependencies } from '../operations/pricedTokens/loadTokenPrices.ts'
import type { ChainUpdate } from '../store/ChainWatch.ts'
import { hashAddresses } from '../store/ChangeTable.ts'
import type { Database } from '../store/Database.ts'
import type { Store } from '../store/Store.ts'
import { getKnownBooks, loadPriceBooks } from './loadPriceBooks.ts'
import { PriceCache } from './PriceCache.ts'
import { PriceEpochs } from './PriceEpochs.ts'
import { toNumber } from './toNumber.ts'

const [usd, eur, dai, weth, token, other] = [1, 2, 3, 4, 5, 6].map(testAddress) as [
  ...[string, string, string, string, string, string],
]
const usd6 = 10n ** 6n
const e18 = 10n ** 18n
const start = 1_700_000_000

let store: Store
let db: Kysely<Database>
beforeAll(async () => {
  store = await openMemoryStore()
  ;({ db } = store)
})
afterAll(() => store.close())

/** WETH at 2,000 USD, from block 3 on at 3,000; the token is worth 0.01 WETH, and the other one as much as the token. */
const pools = [
  {
    address: testAddress(0x11),
    token0: usd,
    token1: weth,
    states: {
      0: [2_000_000n * usd6, 1_000n * e18],
      3: [3_000_000n * usd6, 1_000n * e18],
    },
  },
  {
    address: testAddress(0x12),
    token0: weth,
    token1: token,
    states: { 0: [100n * e18, 10_000n * e18] },
  },
  {
    address: testAddress(0x13),
    token0: token,
    token1: other,
    states: { 0: [1_000n * e18, 1_000n * e18] },
  },
] as const satisfies SeededChain['pools']

const defaults: Omit<SeededChain, 'chainId'> = {
  blocks: Object.fromEntries([0, 1, 2, 3, 4, 5].map((number) => [number, start + 12 * number])),
  tokens: [usd, eur, dai, weth, token, other].map((address) => ({
    address,
    decimals: [usd, eur, dai].includes(address) ? 6 : 18,
  })),
  pools,
}

const refAt = (number: number) => ({ number, hash: `0x${number}`, time: start + 12 * number })

let chains = 0

/** Starts an epoch at block 0, with the prices of some tokens. */
async function startEpoch(
  tokens: readonly string[],
  seeded: Partial<SeededChain> = {},
  { epochSeconds = 10_000, maxTokens = 100 } = {},
) {
  const chainId = ++chains
  await seedChain(db, { ...defaults, ...seeded, chainId })
  const stablecoins = [usd, eur, dai]
  const chain = testChainConfig(chainId, { wrappedNative: weth, stablecoins })
  const cache = new PriceCache(maxTokens)
  const epochs = new PriceEpochs({
    chain,
    cache,
    config: { epochSeconds, minChange: 0.0001 },
    read: async (load) => await load(db),
    logger: { warn: (error: unknown) => expect.fail(String(error)) },
  })
  const requestOf = (block: number, of: readonly string[], metadataVersion = 0) => ({
    chain,
    head: { ...refAt(block), metadataVersion },
    tokens: of,
  })
  const request = async (block: number, of: readonly string[]) =>
    (await loadPriceBooks(db, [requestOf(block, of)], [], cache)).get(chainId)
  /** Carries the prices to a block with changes of pools and sales, or to new metadata of some contracts at the same block. */
  const advance = async (
    block: number,
    {
      pooled = [] as readonly string[],
      contracts = [] as readonly string[],
      sold = [] as readonly string[],
      followed = [] as readonly string[],
    } = {},
  ) => {
    const version = contracts.length > 0 ? 1 : 0
    const before = refAt(version > 0 ? block : block - 1)
    const keys = { holders: [], ledgers: [], pooled, contracts: [...contracts, ...sold] }
    const update: ChainUpdate = {
      chainId,
      block: refAt(block),
      metadataVersion: version,
      changeVersion: block,
      sequence: block,
      before: { block: before, metadataVersion: 0 },
      changes: [
        {
          version: block,
          block: refAt(block),
          metadataVersions: [0, version],
          ancestor: undefined,
          deltas: [],
          keys,
        },
      ],
      keys,
    }
    return await epochs.advance(update, followed)
  }
  /** Finds due prices again once a block is published. */
  const refresh = async (block: number) =>
    await epochs.refresh({ chainId, block: refAt(block), metadataVersion: 0 } as ChainUpdate)
  /** The prices that are known at a block without a query. */
  const known = (block: number, of: readonly string[], metadataVersion = 0) =>
    getKnownBooks([requestOf(block, of, metadataVersion)], cache)?.get(chainId)
  if (tokens.length > 0) {
    await request(0, tokens)
    await advance(1)
  }
  return { request, advance, refresh, known, cache }
}

it('carries prices to later blocks, and reports those that routes pass', async () => {
  const { advance, known } = await startEpoch([token])
  expect(await advance(2)).toEqual(new Set())
  expect(known(2, [token])?.now.has(token)).toBe(true)
  expect(await advance(3, { pooled: [usd, weth] })).toEqual(new Set([usd, weth, token]))
})

it('reports all prices while those of the block before are not known', async () => {
  const { advance } = await startEpoch([])
  expect(await advance(3, { pooled: [usd, weth] })).toBe('all')
})

it('carries the prices of requests that read a block before it was published', async () => {
  const { advance, request } = await startEpoch([token])
  await request(2, [other])
  expect(await advance(2)).toEqual(new Set())
  expect(await advance(3, { pooled: [usd, weth] })).toEqual(new Set([usd, weth, token, other]))
})

it.each([
  ['within an epoch', 10_000],
  ['while all prices are found again', 0],
])('carries what requests loaded of a block that has passed meanwhile, %s', async (_, seconds) => {
  const [first, second, third] = pools
  const moved = { ...third, states: { ...third.states, 2: [2_000n * e18, 1_000n * e18] as const } }
  const seeded = { pools: [first, second, moved] }
  const options = { epochSeconds: seconds }
  const { advance, request, known } = await startEpoch([usd], seeded, options)
  expect(await advance(2, { pooled: [token, other] })).toEqual(new Set([token, other]))
  const late = await request(1, [other])
  expect(known(2, [other])).toBeUndefined()
  await advance(3, { pooled: [usd, weth] })
  const price = known(3, [other])?.now.get(other)?.price
  expect(price).toBeDefined()
  expect(price).not.toEqual(late?.now.get(other)?.price)
  expect(price).toEqual((await request(3, [other]))?.now.get(other)?.price)
  const fresh = await startEpoch([], seeded)
  expect(price).toEqual((await fresh.request(3, [other]))?.now.get(other)?.price)
})

it('loads the pools of a token again when one becomes deep beside many others', async () => {
  const ofOthers = Array.from({ length: 8 }, (_, i) => ({
    address: testAddress(0x100 + i),
    token0: token,
    token1: testAddress(0x200 + i),
    states: { 0: [9_000n * e18, e18] as const },
  }))
  const ofWeth = Array.from({ length: 9 }, (_, i) => ({
    address: testAddress(0x300 + i),
    token0: weth,
    token1: token,
    states: {
      0: i === 8 ? ([1n, 100n] as const) : ([e18, 100n * e18] as const),
      ...(i === 8 && { 3: [1_000n * e18, 50_000n * e18] as const }),
    },
  }))
  const seeded = { pools: [pools[0], ...ofOthers, ...ofWeth] }
  const { advance, known } = await startEpoch([token], seeded)
  await advance(2)
  const before = known(2, [token])?.now.get(token)
  expect(await advance(3, { pooled: [usd, weth, token] })).toContain(token)
  const route = known(3, [token])?.now.get(token)
  expect(before?.legs[0]?.address).not.toBe(testAddress(0x308))
  expect(route?.legs[0]?.address).toBe(testAddress(0x308))
  const fresh = await startEpoch([], seeded)
  expect(route).toEqual((await fresh.request(3, [token]))?.now.get(token))
})

it('prices followed tokens that no request does', async () => {
  const followed = [token]
  const { advance } = await startEpoch([])
  expect(await advance(1, { followed })).toBe('all')
  expect(await advance(2, { followed })).toEqual(new Set())
  expect(await advance(3, { pooled: [usd, weth], followed })).toEqual(new Set([usd, weth, token]))
  expect(await advance(4, { followed })).toEqual(new Set())
})

it('reports a token once when it is followed later', async () => {
  const { advance } = await startEpoch([token])
  expect(await advance(2, { followed: [other] })).toEqual(new Set([other]))
  expect(await advance(3, { followed: [other] })).toEqual(new Set())
})

it('reports a token that is not carried any more when its pools change, or the epoch ends', async () => {
  const inEpoch = await startEpoch([token, other], {}, { maxTokens: 4 })
  expect(await inEpoch.advance(2)).toEqual(new Set())
  expect(inEpoch.known(2, [usd])?.now.size).toBeGreaterThan(0)
  expect(await inEpoch.advance(3, { pooled: [usd, weth] })).toContain(weth)
  expect(await inEpoch.advance(4, { pooled: [token, other] })).toEqual(new Set([token, other]))
  const ended = await startEpoch([token, other], {}, { maxTokens: 4, epochSeconds: 0 })
  expect(await ended.advance(2)).toEqual(new Set([token, other]))
})

it('finds due prices again between blocks, and reports those that changed with the next one', async () => {
  const { advance, refresh, known } = await startEpoch([token], {}, { epochSeconds: 0.001 })
  await refresh(1)
  expect(await advance(2)).toEqual(new Set())
  await delay(5)
  await refresh(2)
  // The block changes the price, and does not name its pool.
  expect(await advance(3)).toEqual(new Set())
  const before = known(3, [token])?.now.get(token)
  await delay(5)
  await refresh(3)
  expect(known(3, [token])?.now.get(token)).toBe(before)
  // Sales change no price, and do not discard what was found.
  expect(await advance(4, { sold: [testAddress(0x721)] })).toEqual(new Set([usd, weth, token]))
  const price = known(4, [token])?.now.get(token)?.price
  expect(price && toNumber({ ...price, numerator: price.numerator * e18 })).toBeCloseTo(30)
})

it('reports a token with another route than before once a token of that changes', async () => {
  const own = {
    address: testAddress(0x41),
    token0: usd,
    token1: other,
    states: { 0: [1_000_000n * usd6, 50_000n * e18], 2: [0n, 0n] },
  } as const
  const { advance } = await startEpoch([token, other], { pools: [...pools, own] })
  // From its own pool with USD to that with the token, whose route passes WETH.
  expect(await advance(2, { pooled: [usd, other] })).toEqual(new Set([other]))
  const all = new Set([usd, weth, token, other])
  expect(await advance(3, { pooled: [usd, weth] })).toEqual(all)
})

it('names the tokens of routes, of which each change concerns a response', async () => {
  const { known } = await startEpoch([other])
  const { hashes } = findPriceDependencies([other], known(1, [other]))
  expect(hashes).toEqual(hashAddresses([[], [], [], [other, token, weth, usd]]))
})

it('carries the stablecoins that lost their peg over blocks without changes', async () => {
  const stable = (id: number, token0: string, token1: string, of0: bigint, of1: bigint) => ({
    address: testAddress(0x20 + id),
    token0,
    token1,
    states: { 0: [of0 * usd6, of1 * usd6] } as const,
  })
  const { advance, known } = await startEpoch([token], {
    pools: [
      ...pools,
      stable(1, usd, dai, 1_000_000n, 1_000_000n),
      stable(2, usd, eur, 1_000_000n, 1_250_000n),
    ],
  })
  expect(known(1, [token])?.depegged).toEqual(new Set([eur]))
  expect(await advance(2)).toEqual(new Set())
  expect(known(2, [token])?.depegged).toEqual(new Set([eur]))
  expect(await advance(3, { pooled: [usd, weth] })).not.toBe('all')
  expect(known(3, [usd])?.depegged).toEqual(new Set([eur]))
})

it('finds prices by a stable pool once the decimals of its other token are known', async () => {
  const stable = {
    address: testAddress(0x31),
    kind: 'solidly-stable',
    token0: token,
    token1: other,
    states: { 0: [1_000n * e18, 1_000n * e18] },
  } as const
  const tokens = defaults.tokens?.map((each) =>
    each.address === token ? { ...each, decimals: null } : each,
  )
  const { advance, known } = await startEpoch([other], {
    tokens: tokens ?? [],
    pools: [...pools.slice(0, 2), stable],
  })
  expect(known(1, [other])?.now.has(other)).toBe(false)
  await db
    .updateTable('tokens')
    .set({ decimals: 18 })
    .where('chain_id', '=', chains)
    .where('decimals', 'is', null)
    .execute()
  expect(await advance(1, { contracts: [token] })).toContain(other)
  const price = known(1, [other], 1)?.now.get(other)?.price
  expect(price && toNumber({ ...price, numerator: price.numerator * e18 })).toBeCloseTo(20)
})

it('keeps what was found again while a block was carried, until the next one takes it', async () => {
  const { advance, refresh, known } = await startEpoch([token], {}, { epochSeconds: 2 })
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  await refresh(1)
  await advance(2)
  // The block changes the price, and does not name its pool.
  expect(await advance(3)).toEqual(new Set())
  now += 1_900
  const refreshing = refresh(3)
  expect(await advance(4)).toEqual(new Set())
  await refreshing
  await refresh(4)
  expect(await advance(5)).toContain(token)
  expect(known(5, [token])?.now.get(token)?.price).toEqual(
    (await (await startEpoch([])).request(5, [token]))?.now.get(token)?.price,
  )
})

it('prices a stablecoin that has left the ranges of its pools as a process that starts then', async () => {
  const q96 = 1n << 96n
  const ofStablecoin = {
    address: testAddress(0x21),
    token0: usd,
    token1: eur,
    states: {
      0: [1_000_000n * usd6, 1_000_000n * usd6, q96] as const,
      2: [0n, 0n, (q96 * 11n) / 10n] as const,
    },
  }
  const seeded = { pools: [...pools, ofStablecoin] }
  const { advance, request } = await startEpoch([eur], seeded)
  await advance(2, { pooled: [usd, eur] })
  for (const book of [
    await request(2, [eur]),
    await (await startEpoch([], seeded)).request(2, [eur]),
  ]) {
    expect(book?.depegged).toEqual(new Set([eur]))
    expect(book?.now.has(eur)).toBe(false)
  }
})

it('forgets what the routes of tokens pass that are not requested again', async () => {
  const many = Array.from({ length: 200 }, (_, index) => testAddress(0x1_000 + index))
  const [ofWeth] = pools
  const ofMany = many.map((each, index) => ({
    address: testAddress(0x2_000 + index),
    token0: weth,
    token1: each,
    states: { 0: [100n * e18, 10_000n * e18] as const },
  }))
  const changed = { ...ofWeth.states, 4: [4_000_000n * usd6, 1_000n * e18] as const }
  const seeded = { pools: [{ ...ofWeth, states: changed }, ...ofMany] }
  const { advance, request, cache } = await startEpoch([], seeded, { maxTokens: 1_000 })
  const chainId = chains
  await request(2, many)
  expect(await advance(3, { pooled: [usd, weth] })).toEqual(new Set([usd, weth, ...many]))
  const prices = cache.get({ chain: { id: chainId }, head: { ...refAt(3), metadataVersion: 0 } })
  const visited = vi.spyOn(prices!.routes, 'get')
  expect(await advance(4, { pooled: [usd, weth] })).toEqual(new Set([usd, weth]))
  expect(visited.mock.calls.length).toBeLessThan(many.length)
})
