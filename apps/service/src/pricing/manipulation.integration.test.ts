import type { Kysely } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import {
  e18,
  expensivePool,
  head,
  honest,
  hour,
  minute,
  type Pool,
  priceToken,
  start,
  type State,
  token,
  usd,
  usd6,
  usdPool,
  weth,
  wethUsd,
  x1,
  x2,
} from '../../test/pricedToken.ts'
import { testAddress } from '../../test/seedChain.ts'
import type { Database } from '../store/Database.ts'
import type { Store } from '../store/Store.ts'

let store: Store
let db: Kysely<Database>
beforeAll(async () => {
  store = await openMemoryStore()
  ;({ db } = store)
})
afterAll(() => store.close())

const price = (
  ...args: Parameters<typeof priceToken> extends [unknown, ...infer Rest] ? Rest : never
) => priceToken(db, ...args)

/** Pools of the token and tokens of the attacker, which have no other pool. */
function poolsOfOwnTokens(count: number, states: Pool['states']): Pool[] {
  return Array.from({ length: count }, (_, i) => ({
    address: testAddress(0x5001 + i),
    token0: token,
    token1: testAddress(0x4000 + i),
    states,
  }))
}

const every = (step: number, states: (block: number) => Record<number, State>) =>
  Object.assign({}, ...Array.from({ length: hour / step }, (_, i) => states(head - i * step)))

/** A token that others are traded with, and a deep pool of it. */
const hub = usdPool(2, { 0: [10_000_000n, 100n] }, x1)
const deep: Pool = {
  address: testAddress(0x3001),
  token0: x1,
  token1: token,
  states: { 0: [5_000_000n * e18, 5_000_000n * e18] },
}

/** Pools with much of USD and little of the token, whose bids are far below the price. */
function oneSidedPools(count: number, dollars: bigint): Pool[] {
  return Array.from({ length: count }, (_, i) => ({
    ...expensivePool({ 0: [dollars, 100n] }),
    address: testAddress(0x901 + i),
  }))
}

/** A V3 pool of a token and USD at 1.00, or further below, and with as much of the token as for that. */
function cheapPool(
  id: number,
  dollars: bigint,
  tokens: bigint,
  price = 1 / 1.05,
  base = token,
): Pool {
  const sqrtPrice = BigInt(Math.round((1e6 / Math.sqrt(price)) * 2 ** 20)) << 76n
  return {
    address: testAddress(0x801 + id),
    token0: usd,
    token1: base,
    states: { 0: [dollars * usd6, tokens * e18, sqrtPrice] },
  }
}

describe('attacks on the price of a token with 500,000 USD of honest liquidity at 1.00', () => {
  const attacks: Record<string, { pools: Pool[]; createdAt?: Record<string, number> }> = {
    'a one-sided position in the last block': {
      pools: [expensivePool({ 0: [100n, 100n], [head]: [501_000n, 1260n] })],
    },
    'liquidity on both sides, just in time for the last block': {
      pools: [expensivePool({ 0: [100n, 100n], [head]: [900_000n, 900_000n] })],
    },
    'liquidity in the last block of every minute': {
      pools: [
        {
          ...expensivePool({}),
          states: every(minute, (block) => ({
            [block - minute + 1]: expensivePool({ 0: [100n, 100n] }).states[0]!,
            [block]: expensivePool({ 0: [900_000n, 900_000n] }).states[0]!,
          })),
        },
      ],
      createdAt: { [testAddress(0x2000)]: 0 },
    },
    'a pool that was created 20 minutes ago': {
      pools: [expensivePool({ [head - 20 * minute]: [2_000_000n, 2_000_000n] })],
      createdAt: { [testAddress(0x2000)]: head - 20 * minute },
    },
    'a sandwich of the head: the pool is moved in one block and back in the next': {
      pools: [
        {
          ...honest,
          states: {
            ...honest.states,
            [head]: [1_500_000n * usd6, 166_667n * e18],
          },
        },
      ],
    },
    'a sandwich of the last block of every minute': {
      pools: [
        {
          ...honest,
          states: every(minute, (block) => ({
            [block - minute + 1]: honest.states[0]!,
            [block]: [1_500_000n * usd6, 166_667n * e18],
          })),
        },
      ],
    },
    'reserves donated to a thin pool': {
      pools: [
        {
          ...usdPool(2, { 0: [1000n, 100n] }),
          states: {
            0: [1000n * usd6, 1000n * e18],
            [head - 10 * minute]: [901_000n * usd6, 1000n * e18],
          },
        },
      ],
    },
    'a pair that takes a fee on each transfer, with a price of its own': {
      pools: [usdPool(2, { 0: [400_000n, 112n] })],
    },
    'a deep pair with a token of false decimals': {
      pools: [
        // 1e30 units of a token that claims 18 decimals, and is worth 50 USD in all.
        {
          address: testAddress(0x3001),
          token0: x1,
          token1: token,
          states: { 0: [e18 * 10n ** 12n, 1000n * e18] },
        },
        {
          address: testAddress(0x3002),
          token0: usd,
          token1: x1,
          states: { 0: [50n * usd6, 50n * e18] },
        },
      ],
    },
    'a route of four pools of own tokens': {
      pools: [
        {
          address: testAddress(0x3001),
          token0: x1,
          token1: token,
          states: { 0: [900_000n * e18, 900n * e18] },
        },
        {
          address: testAddress(0x3002),
          token0: x1,
          token1: x2,
          states: { 0: [900_000n * e18, 900_000n * e18] },
        },
        {
          address: testAddress(0x3003),
          token0: weth,
          token1: x2,
          states: { 0: [4n * e18, 10_000n * e18] },
        },
      ],
    },
    'an own token with eighty times the token': {
      pools: [
        {
          address: testAddress(0x3001),
          token0: x1,
          token1: token,
          states: { 0: [80_000_000n * e18, 40_000_000n * e18] },
        },
        usdPool(2, { 0: [9_000_000n, 100n] }, x1),
      ],
    },
    'two pools of eight tokens with more of the token': {
      pools: [0x3001, 0x3002].flatMap((address) =>
        Array.from({ length: 7 }, (_, i) => ({
          address: testAddress(address),
          token0: token,
          token1: testAddress(0x4000 + i),
          // A pool has a state, whatever the number of its pairs.
          states: i === 0 ? { 0: [2_000_000n * e18, e18] as const } : {},
        })),
      ),
    },
    'sixteen pools of own tokens with more of the token': {
      pools: poolsOfOwnTokens(16, { 0: [2_000_000n * e18, e18] }),
    },
    'the same, one with a route at a wrong price': {
      pools: [
        ...poolsOfOwnTokens(16, { 0: [2_000_000n * e18, e18] }),
        usdPool(2, { 0: [9_000_000n, 1_000_000_000n] }, testAddress(0x4000)),
      ],
    },
    'old pools of own tokens, with more of the token just in time': {
      pools: poolsOfOwnTokens(16, { 0: [1000n, e18], [head]: [2_000_000n * e18, e18] }),
    },
    'old pools with dust at a wrong price, and more than the honest depth just in time': {
      pools: Array.from({ length: 16 }, (_, i) =>
        usdPool(10 + i, { 0: [10n, 1000n], [head]: [9_000_000n, 1000n] }),
      ),
    },
    'pools with a quote token that hold much of the token beside dust, at a wrong price': {
      pools: Array.from({ length: 16 }, (_, i) => ({
        ...expensivePool({}),
        address: testAddress(0x3001 + i),
        states: { 0: [100n * usd6, 2_000_000n * e18, 31_623n << 96n] } as Pool['states'],
      })),
    },
    'wash trading through two pools': {
      pools: [
        usdPool(
          2,
          Object.fromEntries(
            Array.from({ length: 590 }, (_, i) => [i, [20_000n, 490n + BigInt(i % 20)]]),
          ),
        ),
        usdPool(
          3,
          Object.fromEntries(
            Array.from({ length: 590 }, (_, i) => [i, [20_000n, 510n - BigInt(i % 20)]]),
          ),
        ),
      ],
    },
    'an abandoned pool that is deeper than each active one': {
      pools: [usdPool(2, { 0: [600_000n, 200n] }), usdPool(3, { 0: [400_000n, 100n] })],
    },
    'a dust pair with the quote token of the longest list': {
      pools: [
        {
          address: testAddress(0x3001),
          token0: token,
          token1: weth,
          states: { 0: [e18 / 1000n, e18 / 10n] },
        },
      ],
    },
    'a route over an own token with more than the honest depth': {
      pools: [
        {
          address: testAddress(0x3001),
          token0: x1,
          token1: token,
          states: { 0: [9_000_000n * e18, 9_000n * e18] },
        },
        usdPool(2, { 0: [9_000_000n, 100n] }, x1),
      ],
    },
    'a dozen young pools with more of the token than the honest one': {
      pools: Array.from({ length: 12 }, (_, i) =>
        usdPool(10 + i, { [head - 20 * minute]: [9_000_000n, 200n] }),
      ),
      createdAt: Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [testAddress(0x100a + i), head - 20 * minute]),
      ),
    },
    'a pool with dust at a wrong price, then with more than the honest depth at the honest one': {
      pools: [
        usdPool(2, {
          0: [10n, 1000n],
          // In force for one block: the wrong price for half of the window, the depth as well.
          [head - 30 * minute - 1]: [900_000n, 1000n],
          [head - 30 * minute]: [900_000n, 100n],
        }),
      ],
    },
    'a deeper pool below the price in a few blocks, with either side alone in the others': {
      // Bids below the price, then offers above it, which arbitrage takes nothing of.
      pools: [
        {
          ...cheapPool(0, 2_000_000n, 2_000_000n, 0.5),
          states: {
            0: cheapPool(0, 2_000_000n, 1n, 0.5).states[0]!,
            [head - 30 * minute - 2]: cheapPool(0, 2_000_000n, 2_000_000n, 0.5).states[0]!,
            [head - 30 * minute + 2]: cheapPool(0, 1n, 2_000_000n, 1.01).states[0]!,
            [head]: cheapPool(0, 2_000_000n, 2_000_000n, 0.5).states[0]!,
          },
        },
      ],
    },
    'deeper pools that are one-sided, beside those of own tokens and a thin one at a wrong price': {
      pools: [
        ...oneSidedPools(8, 1_000_000n),
        ...poolsOfOwnTokens(8, { 0: [1_000_000n * e18, e18] }),
        {
          address: testAddress(0x3201),
          token0: weth,
          token1: token,
          states: { 0: [e18 / 10n, 25n * e18] },
        },
      ],
    },
    'deeper pools that are one-sided, beside a route over an own token with more than the honest depth':
      {
        pools: [
          ...oneSidedPools(8, 510_000n),
          {
            address: testAddress(0x3201),
            token0: x1,
            token1: token,
            states: { 0: [1_000_000n * e18, 1000n * e18] },
          },
          usdPool(2, { 0: [520_000n, 100n] }, x1),
        ],
      },
    'seven pools that are one-sided, and an eighth below the price': {
      pools: [
        ...oneSidedPools(7, 280_000n),
        ...poolsOfOwnTokens(8, { 0: [700_000n * e18, e18] }),
        cheapPool(0, 280_000n, 15_000n),
      ],
    },
    'three deeper pools below the price, with a twentieth in the token': {
      pools: [0, 1, 2].map((id) => cheapPool(id, 510_000n, 27_000n)),
    },
    'a pool 2 % below the price, and a deeper one 2 % below that with a twentieth in the token': {
      pools: [
        cheapPool(0, 485_000n, 354_000n, 1 / 1.0196),
        cheapPool(1, 510_000n, 26_600n, 1 / 1.0395),
      ],
    },
    'more pools than are compared': {
      pools: Array.from({ length: 12 }, (_, i) => usdPool(10 + i, { 0: [1000n, 10_000n] })),
    },
  }

  const justInTime = (before?: [usd: bigint, tokens: bigint]) => [
    ...Array.from({ length: 8 }, (_, i) =>
      usdPool(10 + i, {
        ...(before && { 0: [before[0], 1000n] as const }),
        [head]: [9_000_000n, 1000n],
      }),
    ),
    ...poolsOfOwnTokens(8, {
      ...(before && { 0: [before[1], e18] }),
      [head]: [9_000_000n * e18, e18],
    }),
  ]
  const at = (block: number, dollars: bigint, cents = 100n) =>
    usdPool(1, { [block]: [dollars, cents] }).states

  it.each<[string, Pool['states']]>([
    [
      'whose liquidity grew 40 minutes ago',
      { ...at(0, 100_000n), ...at(head - 40 * minute, 500_000n) },
    ],
    [
      'whose liquidity grew 20 minutes ago',
      { ...at(0, 500_000n), ...at(head - 20 * minute, 2_000_000n) },
    ],
    [
      'that had more liquidity for a block',
      { ...at(0, 500_000n), ...at(400, 4_000_000n), ...at(401, 500_000n) },
    ],
    [
      'that was sold into for a block',
      { ...at(0, 500_000n), ...at(400, 100_000n, 4n), ...at(401, 500_000n) },
    ],
  ])('pools that are deep just in time, beside an honest one %s', async (_, states) => {
    // Pools with dust before, and pools that were created before the window, but never had a state.
    for (const others of [justInTime([40n, 1000n]), justInTime()]) {
      const { usd, size } = await price([wethUsd, { ...honest, states }, ...others])
      expect(usd).toBeCloseTo(1, 9)
      expect(size).toBeGreaterThanOrEqual(500_000)
    }
  })

  it.each(Object.entries(attacks))('%s', async (_, { pools, createdAt }) => {
    // An attack on the honest pool itself replaces it.
    const others = pools.some(({ address }) => address === honest.address) ? [] : [honest]
    const { usd, size } = await price([wethUsd, ...others, ...pools], {
      createdAt: createdAt ?? {},
    })
    expect(usd).toBeGreaterThanOrEqual(0.98)
    expect(usd).toBeLessThanOrEqual(1.02)
    expect(size).toBeGreaterThan(250_000)
  })
})

describe('a deep pool that is emptied in the last block, beside pools at a wrong price', () => {
  /** A V3 pool at 1.00 before. */
  const emptied = (dollars: bigint, tokens: bigint, at = 1): Pool => ({
    ...cheapPool(0, 0n, 0n),
    states: {
      0: cheapPool(0, 500_000n, 500_000n, 1).states[0]!,
      [head]: cheapPool(0, dollars, tokens, at).states[0]!,
    },
  })
  const wrong = (count: number) =>
    Array.from({ length: count }, (_, i) => usdPool(10 + i, { 0: [200n, 1000n] }))
  const cases: Record<string, Pool> = {
    'with the token bought out of its ranges': emptied(1_010_000n, 0n, 1.02),
    'with the token sold out of its ranges': emptied(0n, 1_010_000n, 0.98),
    'without liquidity': emptied(0n, 0n),
    'without reserves': { ...honest, states: { ...honest.states, [head]: [0n, 0n] } },
  }

  it.each(Object.entries(cases))('withholds the price, %s', async (_, pool) => {
    for (const count of [1, 8]) {
      expect((await price([wethUsd, pool, ...wrong(count)])).usd).toBeUndefined()
    }
  })

  it.each(Object.entries(cases))('returns that of a pool that agrees, %s', async (_, pool) => {
    const right = usdPool(2, { 0: [10_000n, 100n] })
    expect(await price([wethUsd, pool, right, ...wrong(1)])).toMatchObject({ size: 10_000 })
    const ofHub = { ...deep, states: { 0: [9_000n * e18, 9_000n * e18] as const } }
    const ofOwn: Pool[] = [
      {
        ...deep,
        address: testAddress(0x3101),
        token0: x2,
        states: { 0: [10n * e18, e18 * 800_000n] },
      },
      usdPool(3, { 0: [9_000_000n, 100_000_000_000n] }, x2),
    ]
    expect(await price([wethUsd, pool, hub, ofHub, ...ofOwn])).toMatchObject({
      usd: 1,
      size: 9_000,
    })
  })

  it('returns its price while it holds less than the others', async () => {
    const drained = usdPool(1, { 0: [500_000n, 100n], [head]: [100n, 100n] })
    const { usd: found, size } = await price([wethUsd, drained, ...wrong(3)])
    expect(found).toBeCloseTo(1, 9)
    expect(size).toBe(100)
  })

  it('returns the price of the others half an hour after it was emptied', async () => {
    const states = { ...honest.states, [head - 31 * minute]: [0n, 0n] as const }
    expect((await price([wethUsd, { ...honest, states }, ...wrong(1)])).usd).toBeCloseTo(10, 9)
  })
})

describe('attacks on a chain with a block every two seconds', () => {
  const times = Object.fromEntries(Array.from({ length: head + 1 }, (_, i) => [i, start + 2 * i]))
  const priceFast = (pools: readonly Pool[], options: Parameters<typeof price>[1] = {}) =>
    price([wethUsd, ...pools], { times, priceWindowMinutes: 10, ...options })
  /** Eight pools with a quote token, and eight of own tokens, at ten times the price. */
  const manyPools = (statesOf: (dollars: bigint, tokens: bigint) => Pool['states']) => [
    ...Array.from({ length: 8 }, (_, i) => ({
      ...usdPool(10 + i, {}),
      states: statesOf(9_000_000n * usd6, 900_000n * e18),
    })),
    ...poolsOfOwnTokens(8, {}).map((pool) => ({ ...pool, states: statesOf(e18, 900_000n * e18) })),
  ]
  const dust: State = [10n, 10n ** 12n]

  it('withholds the price beside pools that are full for most of the time, but never deep', async () => {
    const cycles: ((dollars: bigint, tokens: bigint) => Pool['states'])[] = [
      // Empty in a block of six.
      (dollars, tokens) =>
        every(6, (block) => ({ [block - 1]: dust, [block]: [dollars, tokens] as const })),
      // Empty in one of seven, and changed at the middle of the others.
      (dollars, tokens) =>
        every(7, (block) => ({
          [block - 4]: [dollars + 1n, tokens],
          [block - 1]: dust,
          [block]: [dollars, tokens],
        })),
    ]
    for (const cycle of cycles) {
      // As before the window.
      const pools = manyPools((...full) => ({ 0: full, ...cycle(...full) }))
      const { usd, rejected } = await priceFast([honest, ...pools])
      expect(usd).toBeUndefined()
      expect(Object.values(rejected)).toEqual(Array(8).fill('THIN'))
    }
  })

  it('returns the price beside old pools that are deep just in time, while the liquidity of the honest one changes', async () => {
    const { 0: state } = honest.states
    const [dollars = 0n, tokens = 0n] = state ?? []
    const states = {
      0: [dollars, tokens] as const,
      ...every(4, (block) => ({
        [block - 3]: [4n * dollars, 4n * tokens],
        [block - 1]: [dollars, tokens],
      })),
    }
    const { usd } = await priceFast([
      { ...honest, states },
      ...manyPools((...deep) => ({ 0: dust, [head]: deep })),
    ])
    expect(usd).toBeCloseTo(1, 9)
  })

  it('withholds the price of a quote token whose deep pools are with another one', async () => {
    const ofX1: Pool = {
      address: testAddress(0x8fff),
      token0: weth,
      token1: x1,
      states: { 0: [200n * e18, 500_000n * e18] },
    }
    const full: State = [200n * e18, 500_000n * e18]
    const others = Array.from({ length: 8 }, (_, i) => ({
      ...ofX1,
      address: testAddress(0x8001 + i),
      states: {
        0: full,
        ...every(6, (block) => ({ [block - 1]: [10n ** 9n, 10n ** 9n], [block]: full })),
      },
    }))
    const wrong = usdPool(5, { 0: [1000n, 1000n] }, x1)
    const of = { quoteTokens: [x1], priced: x1 }
    expect((await priceFast([ofX1, wrong], of)).usd).toBeCloseTo(1, 9)
    expect((await priceFast([ofX1, wrong, ...others], of)).usd).toBeUndefined()
  })

  it('returns the price beside pools that are deep since the chain produces blocks again', async () => {
    const stopped = head - 5
    const resumed = Object.fromEntries(
      Array.from({ length: 5 }, (_, i) => [stopped + 1 + i, start + 2 * (stopped + i) + 3600]),
    )
    const pools = [honest, ...manyPools((...deep) => ({ 0: dust, [stopped + 1]: deep }))]
    const { usd } = await price([wethUsd, ...pools], { times: { ...times, ...resumed } })
    expect(usd).toBeCloseTo(1, 9)
  })
})

describe('attacks on the price of a token that others are priced by', () => {
  it('returns the price of a route with a deeper pool below the price on each leg', async () => {
    const below = cheapPool(0, 510_000n, 26_600n, 1 / 1.0196, x1)
    const [, tokens = 0n, sqrtPrice = 0n] = below.states[0] ?? []
    const ofX1 = { token0: x1, token1: token }
    const pools: Pool[] = [
      ...[usdPool(1, { 0: [500_000n, 100n] }, x1), below],
      { ...ofX1, address: testAddress(0x1101), states: { 0: [500_000n * e18, 500_000n * e18] } },
      // Both of its tokens have 18 decimals.
      {
        ...ofX1,
        address: testAddress(0x811),
        states: { 0: [510_000n * e18, tokens, sqrtPrice / 10n ** 6n] },
      },
    ]
    const { usd: found } = await price([wethUsd, ...pools], { quoteTokens: [x1] })
    expect(found).toBeCloseTo(1, 9)
  })
})

describe('attacks on the price of a token with a pool of three tokens', () => {
  it('returns its price beside pools with more of the token', async () => {
    const poolOf = (id: number, tokens: readonly string[], balances: readonly bigint[]): Pool[] =>
      [
        [1, 2],
        [1, 3],
        [2, 3],
      ].map(([first = 1, second = 2], pair) => ({
        address: testAddress(id),
        kind: 'balancer-weighted',
        states: {},
        token0: tokens[first - 1] ?? '',
        token1: tokens[second - 1] ?? '',
        indexes: [first, second],
        ...(pair === 0 && { reads: { 0: { balances, prices: [10n ** 12n, 1n, 2500n] } } }),
      }))
    const pools = [
      ...poolOf(0x7001, [usd, token, weth], [500_000n * usd6, 500_000n * e18, 200n * e18]),
      ...Array.from({ length: 8 }, (_, i) => {
        const own = [testAddress(0x4000 + i), testAddress(0x4100 + i)] as const
        return poolOf(0x7101 + i, [own[0], token, own[1]], [10n ** 12n, 10n ** 24n, 10n ** 21n])
      }).flat(),
      ...poolsOfOwnTokens(8, { 0: [1_000_000n * e18, e18] }),
      usdPool(2, { 0: [50n, 1000n] }),
    ]
    const { usd: found, size } = await price([wethUsd, ...pools])
    expect(found).toBeCloseTo(1, 9)
    expect(size).toBe(500_000)
  })
})

describe('prices that are withheld', () => {
  it('of a token whose deep pool with another token is displaced by pools of own tokens, beside a thin one', async () => {
    const wrong = usdPool(3, { 0: [200n, 1000n] })
    expect((await price([wethUsd, hub, deep, wrong])).usd).toBeCloseTo(1, 9)
    const ofOthers = poolsOfOwnTokens(8, { 0: [11_000_000n * e18, e18] })
    const { usd, rejected } = await price([wethUsd, hub, deep, wrong, ...ofOthers])
    expect(usd).toBeUndefined()
    expect(rejected).toMatchObject({ [wrong.address]: 'THIN' })
  })

  it.each<[string, string[]]>([
    ['a token', []],
    ['a quote token', [token]],
  ])(
    'of %s with a pool that pools of own tokens hold a hundred times as much as, one with a route',
    async (_, quoteTokens) => {
      const ofOthers = poolsOfOwnTokens(8, { 0: [200_000_000n * e18, 20_000_000n * e18] })
      const ofOwn = usdPool(2, { 0: [1000n, 100n] }, testAddress(0x4000))
      const { usd, rejected } = await price([wethUsd, honest, ...ofOthers, ofOwn], { quoteTokens })
      expect(usd).toBeUndefined()
      expect(rejected).toMatchObject({
        [honest.address]: 'THIN',
        [ofOthers[0]!.address]: 'THIN',
      })
    },
  )

  it.each<[string, Pool, Record<string, number>, string]>([
    [
      'created within the hour',
      expensivePool({ 400: [10_001n, 10_001n] }),
      { [testAddress(0x2000)]: 400 },
      'YOUNG',
    ],
    [
      'with liquidity for less than half an hour',
      expensivePool({ [head - 20 * minute]: [10_001n, 10_001n] }),
      {},
      'EMPTY',
    ],
    [
      'without liquidity to buy the token',
      expensivePool({ 0: [10_001n, 10_001n], [head]: [0n, 10_001n] }),
      {},
      'EMPTY',
    ],
    ['with a side that is nearly sold out', expensivePool({ 0: [10_001n, 400n] }), {}, 'ONE_SIDED'],
  ])('of the only pool, %s', async (_, pool, createdAt, reason) => {
    expect(await price([wethUsd, pool], { createdAt })).toEqual({
      usd: undefined,
      size: undefined,
      rejected: { [pool.address]: reason },
    })
  })
})

describe('honest changes', () => {
  it('returns the price of a deep pool with another token beside dead ones with a quote token', async () => {
    const dead = Array.from({ length: 8 }, (_, i) => ({
      address: testAddress(0x3101 + i),
      token0: weth,
      token1: token,
      states: { 0: [1n, e18] as const },
    }))
    expect((await price([wethUsd, hub, deep, ...dead])).usd).toBeCloseTo(1, 9)
  })

  it('reports a young pool with a quote token beside many of own tokens, so that it is known once it is older', async () => {
    const ofOthers = poolsOfOwnTokens(8, { 0: [9_000_000n * e18, e18] })
    const created = head - 20 * minute
    const young = usdPool(2, { [created]: [500_000n, 200n] })
    const { rejected } = await price([wethUsd, honest, ...ofOthers, young], {
      createdAt: { [young.address]: created },
    })
    expect(rejected).toMatchObject({ [young.address]: 'YOUNG' })
  })

  it('returns the price of a deep pool with another token beside a thin one with a quote token', async () => {
    const thin = usdPool(3, { 0: [1_010n, 112n] })
    expect(await price([wethUsd, hub, deep, thin])).toEqual({
      usd: 1,
      size: 5_000_000,
      rejected: { [thin.address]: 'OUTLIER' },
    })
  })

  it('returns the current price within 1 % of the median of the window, in both directions', async () => {
    const at = (cents: bigint) =>
      price([wethUsd, usdPool(1, { 0: [500_000n, 1000n], [head]: [500_000n, cents] })])
    expect((await at(1009n)).usd).toBeCloseTo(10.09, 9)
    expect((await at(1500n)).usd).toBeCloseTo(10.1, 9)
    expect((await at(500n)).usd).toBeCloseTo(10 / 1.01, 9)
  })

  it('returns a new price once it was in force for half of the window', async () => {
    const after = (minutes: number) =>
      price([
        wethUsd,
        usdPool(1, { 0: [500_000n, 100n], [head - minutes * minute]: [600_000n, 150n] }),
      ])
    expect((await after(29)).usd).toBeCloseTo(1.01, 9)
    expect((await after(31)).usd).toBeCloseTo(1.5, 9)
  })

  it('counts liquidity that is interrupted for two seconds, and does not change after that', async () => {
    const { 0: state } = honest.states
    const states = { 0: state!, 400: [0n, 0n] as const, 401: state! }
    const { size, rejected } = await price([wethUsd, { ...honest, states }], {
      times: { 401: start + 12 * 400 + 2 },
    })
    expect(size).toBe(500_000)
    expect(rejected).toEqual({})
  })

  it('counts liquidity that is interrupted, but for less than half of the window', async () => {
    const position = [10_000n, 10_000n] as const
    const without = (blocks: number) =>
      price([wethUsd, expensivePool({ 0: position, 400: [0n, 0n], [400 + blocks]: position })])
    expect((await without(149)).size).toBeCloseTo(10_000, 6)
    expect((await without(151)).size).toBeUndefined()
  })
})
