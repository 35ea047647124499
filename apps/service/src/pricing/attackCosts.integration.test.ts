import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openMemoryStore } from '../../test/openMemoryStore.ts'
import {
  e18,
  expensivePool,
  head,
  honest,
  minute,
  type Pool,
  priceToken,
  token,
  usd6,
  usdPool,
  weth,
  wethUsd,
  x1,
  x2,
} from '../../test/pricedToken.ts'
import { testAddress } from '../../test/seedChain.ts'
import type { Store } from '../store/Store.ts'

/** USD of honest liquidity. */
const honestDepth = 500_000
/** From 1 % of the honest depth to a hundred times as much. */
const capitals = [5_000n, 250_000n, 600_000n, 50_000_000n]
const blocksPerHour = 300
/** A current price may differ from the median of the window by 2 %, in either direction. */
const tolerance = 0.021

interface Attack {
  /** The pools with some capital in USD, beside or instead of the honest one. */
  readonly pools: (capital: bigint) => Pool[]
  readonly createdAt?: (capital: bigint) => Record<string, number>
  /** What it costs per hour to keep the price, in USD. By default, arbitrage takes all that is at a wrong price. */
  readonly cost?: (capital: bigint) => number
}

const pair = (id: number, token0: string, token1: string, state: readonly [bigint, bigint]) => ({
  ...{ address: testAddress(0x3000 + id), token0, token1, states: { 0: state } },
})

/** The attacks of the table in `docs/decisions/0036-routes.md`. */
const attacks: Record<string, Attack> = {
  'one-sided position in the last block': {
    pools: (capital) => [expensivePool({ 0: [100n, 100n], [head]: [capital, capital / 400n] })],
  },
  'balanced liquidity just in time': {
    pools: (capital) => [expensivePool({ 0: [100n, 100n], [head]: [capital, capital] })],
    // It is exposed for a block per hour.
    cost: () => 0,
  },
  'new deep pool': {
    pools: (capital) => [expensivePool({ [head - 20 * minute]: [capital, capital] })],
    createdAt: () => ({ [testAddress(0x2000)]: head - 20 * minute }),
    cost: () => 0,
  },
  'sandwich of a head': {
    pools: (capital) => [moved(capital, { [head]: true })],
    cost: (capital) => 2 * 0.003 * Number(capital),
  },
  'sandwich of the last block of every minute': {
    pools: (capital) => [
      moved(
        capital,
        Object.fromEntries(
          Array.from({ length: 2 * 60 }, (_, i) => [
            head - 5 * (i >> 1) - 4 * (i & 1),
            i % 2 === 0,
          ]),
        ),
      ),
    ],
    cost: (capital) => 60 * 2 * 0.003 * Number(capital),
  },
  'donated reserves': {
    pools: (capital) => [
      {
        ...usdPool(2, { 0: [1000n, 100n] }),
        states: {
          0: [1000n * usd6, 1000n * e18],
          [head - 10 * minute]: [(1000n + capital) * usd6, 1000n * e18],
        },
      },
    ],
  },
  'deeper balanced pool at a wrong price': {
    pools: (capital) => [usdPool(2, { 0: [capital, 200n] })],
  },
  'pool with a quote token beside a deeper one without': {
    pools: (capital) => [
      usdPool(2, { 0: [2_000_000n, 100n] }, x1),
      {
        ...pair(1, x1, token, [BigInt(honestDepth) * e18, BigInt(honestDepth) * e18]),
        address: honest.address,
      },
      usdPool(3, { 0: [capital, 200n] }),
    ],
  },
  'two pools that agree on a wrong price': {
    pools: (capital) => [
      usdPool(2, { 0: [capital / 2n, 200n] }),
      usdPool(3, { 0: [capital / 2n, 200n] }),
    ],
  },
  'a dozen pools': {
    pools: (capital) =>
      Array.from({ length: 12 }, (_, i) => usdPool(10 + i, { 0: [capital / 12n, 10_000n] })),
  },
  'own route of four pools': {
    pools: (capital) => [
      pair(1, x1, token, [capital * e18, capital * e18]),
      pair(2, x1, x2, [capital * e18, capital * e18]),
      pair(3, weth, x2, [(capital * e18) / 2500n, capital * 2n * e18]),
    ],
    // The own tokens cannot be transferred, so that the capital is not exposed.
    cost: () => 0,
  },
  'own token with more than the honest depth': {
    pools: (capital) => [
      pair(1, x1, token, [capital * e18, (capital * e18) / 1000n]),
      usdPool(2, { 0: [capital, 100n] }, x1),
    ],
    cost: () => 0,
  },
  'false decimals of an own token': {
    pools: (capital) => [
      pair(1, x1, token, [capital * 10n ** 30n, 1000n * e18]),
      usdPool(2, { 0: [50n, 100n] }, x1),
    ],
    cost: () => 0,
  },
  'liquidity in the last block of every minute': {
    pools: (capital) => [
      {
        ...expensivePool({}),
        states: Object.fromEntries(
          Array.from({ length: 60 }, (_, i) => head - i * minute).flatMap((block) => [
            [block - minute + 1, expensivePool({ 0: [100n, 100n] }).states[0]!],
            [block, expensivePool({ 0: [capital, capital] }).states[0]!],
          ]),
        ),
      },
    ],
    // A fifth of the time, in blocks that the attacker chooses.
    cost: () => 0,
  },
  'pair with a fee on transfers': {
    // Trading it costs more than the difference up to the fee, so that arbitrage corrects nothing.
    pools: (capital) => [usdPool(2, { 0: [min(capital, BigInt(honestDepth) / 2n), 112n] })],
    cost: () => 0,
  },
  'wash trading through two pools': {
    pools: (capital) =>
      [1, -1].map((sign, index) =>
        usdPool(
          2 + index,
          Object.fromEntries(
            Array.from({ length: 590 }, (_, i) => [
              i,
              [min(capital / 2n, 100_000n), BigInt(500 + sign * (10 - (i % 20)))] as const,
            ]),
          ),
        ),
      ),
    // The fees stay with the own liquidity.
    cost: () => 0,
  },
  'abandoned pool': {
    // Its price shows that no trader corrects it. It is beside two active ones, and deeper than each.
    pools: (capital) => [
      usdPool(2, { 0: [min(capital, 600_000n), 200n] }),
      usdPool(3, { 0: [400_000n, 100n] }),
    ],
    cost: () => 0,
  },
  'dust pair with a quote token': {
    pools: (capital) => [pair(1, token, weth, [e18 / 1000n, (min(capital, 300n) * e18) / 2500n])],
    cost: () => 0,
  },
  'two pools of eight tokens with more of the token': {
    pools: (capital) =>
      [0x3001, 0x3002].flatMap((address) =>
        Array.from({ length: 7 }, (_, i) => ({
          ...{ address: testAddress(address), token0: token, token1: testAddress(0x4000 + i) },
          states: i === 0 ? { 0: [capital * e18, e18] as const } : {},
        })),
      ),
    cost: () => 0,
  },
  'a dozen young pools with more of the token': {
    pools: (capital) =>
      Array.from({ length: 12 }, (_, i) =>
        usdPool(10 + i, { [head - 20 * minute]: [capital, 200n] }),
      ),
    createdAt: () =>
      Object.fromEntries(
        Array.from({ length: 12 }, (_, i) => [testAddress(0x100a + i), head - 20 * minute]),
      ),
    cost: () => 0,
  },
  'holding the honest pool off its price': {
    pools: (capital) => [moved(capital, { [head - 31 * minute]: true })],
    // In each block of half an hour, arbitrage takes the difference of the values before and after, and both pay fees.
    cost: (capital) => {
      const [before, added] = [honestDepth, Number(capital)]
      const after = before + added
      const lost = added - (before - (before * before) / after)
      return (blocksPerHour / 2) * (lost + 2 * 0.003 * added)
    },
  },
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

/** The honest pool, into which a swap of USD was made or not, by block. */
function moved(capital: bigint, isMovedAt: Record<number, boolean>): Pool {
  const reserve = BigInt(honestDepth) + capital
  const state = [reserve * usd6, (BigInt(honestDepth) ** 2n * e18) / reserve] as const
  const states = Object.entries(isMovedAt).map(([block, isMoved]) => [
    block,
    isMoved ? state : honest.states[0],
  ])
  return { ...honest, states: { ...honest.states, ...Object.fromEntries(states) } }
}

let store: Store
beforeAll(async () => {
  store = await openMemoryStore()
})
afterAll(() => store.close())

const effective = new Map<string, number>()

describe('an attack that moves the price costs more than 1 % of the honest depth per hour', () => {
  it.each(Object.entries(attacks))('%s', async (name, { pools, createdAt, cost = Number }) => {
    for (const capital of capitals) {
      const own = pools(capital)
      const others = own.some(({ address }) => address === honest.address) ? [] : [honest]
      const { usd } = await priceToken(store.db, [wethUsd, ...others, ...own], createdAt?.(capital))
      if (usd !== undefined && Math.abs(usd - 1) > tolerance) {
        expect(cost(capital)).toBeGreaterThan(0.01 * honestDepth)
        effective.set(name, Math.min(effective.get(name) ?? Infinity, cost(capital)))
      }
    }
  })

  it('as some do', () => {
    expect([...effective.keys()]).toEqual([
      'deeper balanced pool at a wrong price',
      'pool with a quote token beside a deeper one without',
      'two pools that agree on a wrong price',
      'a dozen pools',
      'holding the honest pool off its price',
    ])
  })
})
