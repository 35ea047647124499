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
  usd,
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
/** A wrong price counts once it was in force for half of the window, an hour. */
const blocksPerHour = 300
const heldBlocks = blocksPerHour / 2
/** Prices within 2 % of the true one, but for rounding, count as right. */
const tolerance = 0.0201

/** An attack without capital that arbitrage could take, so that it counts as free. */
interface FreeAttack {
  /** The pools with some capital in USD, beside or instead of the honest one. */
  readonly pools: (capital: bigint) => Pool[]
  readonly createdAt?: (capital: bigint) => Record<string, number>
}

/** An attack that keeps a price which is a multiple of the true one, against arbitrage in each block. */
interface ExposedAttack {
  readonly pools: (capital: number, ratio: number) => Pool[]
  /**
   * The least capital in USD that prices the token, to which the cost is proportional; undefined where the ratio determines it.
   */
  readonly least?: (ratio: number) => number
  /** What it costs per hour to keep the price, in USD, by the kind of the pool. */
  readonly costs: Readonly<Record<string, (capital: number, ratio: number) => number>>
}

interface Arbitrage {
  /** Wrong prices by the true one. */
  readonly ratio: number
  readonly fee?: number
  /** The weight of the token, of a pool with the curve `x^(1 − w) y^w = k`. */
  readonly weight?: number
}

/**
 * What arbitrage takes of a pool with a reserve of USD, at most. It ends where the price with the fee is the true one: at
 * `1 / (1 − fee)` for a price above, where tokens are sold, and at `1 − fee` for one below, where they are bought.
 *
 * With `x y = k`, that is `(1 − sqrt(end / ratio))²` of the reserve, about a quarter of the square of what is beyond the fee.
 */
function getArbitrage(usd: number, { ratio, fee = 0.003, weight = 0.5 }: Arbitrage): number {
  const end = Math.min(Math.max(ratio, 1 - fee), 1 / (1 - fee))
  const tokens = (usd * weight) / (1 - weight) / ratio
  const usdChange = usd * ((end / ratio) ** weight - 1)
  const tokenChange = tokens * ((end / ratio) ** (weight - 1) - 1)
  // What is sold pays the fee.
  return ratio > 1 ? -usdChange - tokenChange / (1 - fee) : -tokenChange - usdChange / (1 - fee)
}

/** What it costs to move the honest pool to a price again, once arbitrage ended. */
function getDistance(ratio: number, fee = 0.003): number {
  const end = 1 / (1 - fee)
  const paid = (honestDepth * (Math.sqrt(ratio) - Math.sqrt(end))) / (1 - fee)
  return paid - honestDepth * (1 / Math.sqrt(end) - 1 / Math.sqrt(ratio))
}

const pair = (id: number, token0: string, token1: string, state: readonly [bigint, bigint]) => ({
  address: testAddress(0x3000 + id),
  token0,
  token1,
  states: { 0: state },
})

/** Those of the table in `docs/decisions/0036-routes.md` that must have no effect. */
const freeAttacks: Record<string, FreeAttack> = {
  'one-sided position in the last block': {
    pools: (capital) => [expensivePool({ 0: [100n, 100n], [head]: [capital, capital / 400n] })],
  },
  'balanced liquidity just in time': {
    pools: (capital) => [expensivePool({ 0: [100n, 100n], [head]: [capital, capital] })],
  },
  'new deep pool': {
    pools: (capital) => [expensivePool({ [head - 20 * minute]: [capital, capital] })],
    createdAt: () => ({ [testAddress(0x2000)]: head - 20 * minute }),
  },
  'sandwich of a head': {
    pools: (capital) => [moved(capital, { [head]: true })],
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
  'own route of four pools': {
    pools: (capital) => [
      pair(1, x1, token, [capital * e18, capital * e18]),
      pair(2, x1, x2, [capital * e18, capital * e18]),
      pair(3, weth, x2, [(capital * e18) / 2500n, capital * 2n * e18]),
    ],
  },
  'own token with more than the honest depth': {
    pools: (capital) => [
      pair(1, x1, token, [capital * e18, (capital * e18) / 1000n]),
      usdPool(2, { 0: [capital, 100n] }, x1),
    ],
  },
  'false decimals of an own token': {
    pools: (capital) => [
      pair(1, x1, token, [capital * 10n ** 30n, 1000n * e18]),
      usdPool(2, { 0: [50n, 100n] }, x1),
    ],
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
  },
  'pair with a fee on transfers': {
    // Trading it costs more than the difference up to the fee, so that arbitrage corrects nothing.
    pools: (capital) => [usdPool(2, { 0: [min(capital, BigInt(honestDepth) / 2n), 112n] })],
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
  },
  'abandoned pool': {
    // Its price shows that no trader corrects it. It is beside two active ones, and deeper than each.
    pools: (capital) => [
      usdPool(2, { 0: [min(capital, 600_000n), 200n] }),
      usdPool(3, { 0: [400_000n, 100n] }),
    ],
  },
  'dust pair with a quote token': {
    pools: (capital) => [pair(1, token, weth, [e18 / 1000n, (min(capital, 300n) * e18) / 2500n])],
  },
  'two pools of eight tokens with more of the token': {
    pools: (capital) =>
      [0x3001, 0x3002].flatMap((address) =>
        Array.from({ length: 7 }, (_, i) => ({
          address: testAddress(address),
          token0: token,
          token1: testAddress(0x4000 + i),
          states: i === 0 ? { 0: [capital * e18, e18] as const } : {},
        })),
      ),
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
  },
}

/** A pool of USD and the token at a price, by block. Without ranges, both sides are worth the same. */
function poolAt(
  id: number,
  states: Record<number, readonly [usd: number, price: number]>,
  tokenShare?: number,
): Pool {
  const toUnits = (amount: number) => BigInt(Math.round(amount * 1e6))
  const entries = Object.entries(states).map(([block, [amount, price]]) => {
    const tokens = toUnits(((tokenShare ?? 1) * amount) / price) * 10n ** 12n
    const sqrtPrice = BigInt(Math.round((1e6 / Math.sqrt(price)) * 2 ** 30)) << 66n
    return [block, [toUnits(amount), tokens, ...(tokenShare === undefined ? [] : [sqrtPrice])]]
  })
  const address = testAddress(0x1000 + id)
  return { address, token0: usd, token1: token, states: Object.fromEntries(entries) }
}

/** The token's side has to be worth a twentieth of the other one. */
const leastTokenShare = 1 / 20
/** The depth counts up to 1.4 times the token's side. */
const leastOfUnbalanced = honestDepth / (1.4 * 1.001 * leastTokenShare)
const leastFullShare = 1 / 1.4
/** A current price counts within 1 % of the median of the window. */
const further = 1.0099
const held = (capital: number, ratio: number, pool?: { fee?: number; weight?: number }) =>
  heldBlocks * getArbitrage(capital, { ratio, ...pool })

/** Those of the table in `docs/decisions/0036-routes.md` that price the token with enough capital. */
const exposedAttacks: Record<string, ExposedAttack> = {
  'a deeper balanced pool': {
    pools: (capital, ratio) => [poolAt(2, { 0: [capital, ratio] })],
    least: () => honestDepth,
    costs: {
      'fee of 0.3 %': held,
      'fee of 1 %': (capital, ratio) => held(capital, ratio, { fee: 0.01 }),
    },
  },
  'a deeper pool with a twentieth of the value in the token': {
    pools: (capital, ratio) => [poolAt(2, { 0: [capital, ratio] }, 1.001 * leastTokenShare)],
    least: () => leastOfUnbalanced,
    costs: {
      // In a range, arbitrage takes the same as of a balanced pool, as long as it takes USD.
      'full range': held,
      'weights of 1 and 20': (capital, ratio) => held(capital, ratio, { weight: 1 / 21 }),
    },
  },
  'the same below the true price': {
    pools: (capital, ratio) => [poolAt(2, { 0: [capital, 1 / ratio] }, 1.001 * leastTokenShare)],
    least: () => leastOfUnbalanced,
    costs: {
      // The range of the USD ends at the price, that of the tokens, which arbitrage takes, has no end.
      'two ranges': (capital, ratio) => held(leastTokenShare * capital, 1 / ratio),
      'weights of 1 and 20': (capital, ratio) => held(capital, 1 / ratio, { weight: 1 / 21 }),
    },
  },
  'a pool below the true price, with as much of the token as counts its depth': {
    pools: (capital, ratio) => [poolAt(2, { 0: [capital, 1 / ratio] }, 1.001 * leastFullShare)],
    least: () => honestDepth,
    costs: {
      'two ranges': (capital, ratio) => held(leastFullShare * capital, 1 / ratio),
      'two ranges, fee of 1 %': (capital, ratio) =>
        held(leastFullShare * capital, 1 / ratio, { fee: 0.01 }),
    },
  },
  'a deeper pool, moved further in the last block': {
    pools: (capital, ratio) => [
      poolAt(2, { 0: [capital, ratio / further], [head]: [capital, ratio] }),
    ],
    least: () => honestDepth,
    costs: {
      'fee of 0.3 %': (capital, ratio) =>
        held(capital, ratio / further) + getArbitrage(capital, { ratio }),
      'fee of 1 %': (capital, ratio) =>
        held(capital, ratio / further, { fee: 0.01 }) + getArbitrage(capital, { ratio, fee: 0.01 }),
    },
  },
  'a pool with a quote token beside a deeper one without': {
    pools: (capital, ratio) => [
      usdPool(2, { 0: [2_000_000n, 100n] }, x1),
      {
        ...pair(1, x1, token, [BigInt(honestDepth) * e18, BigInt(honestDepth) * e18]),
        address: honest.address,
      },
      poolAt(3, { 0: [capital, ratio] }),
    ],
    // A hundredth of what the other one holds of the token, at the wrong price.
    least: (ratio) => (ratio * honestDepth) / 100,
    costs: { 'fee of 0.3 %': held },
  },
  'two pools that agree': {
    pools: (capital, ratio) => [2, 3].map((id) => poolAt(id, { 0: [capital / 2, ratio] })),
    least: () => honestDepth,
    costs: { 'fee of 0.3 %': held },
  },
  'a dozen pools': {
    pools: (capital, ratio) =>
      Array.from({ length: 12 }, (_, i) => poolAt(10 + i, { 0: [capital / 12, ratio] })),
    // Of the three deepest ones, the honest pool is one.
    least: () => 6 * honestDepth,
    costs: { 'fee of 0.3 %': held },
  },
  'holding the honest pool off its price': {
    pools: (_, ratio) => [honestAt({ [head - 31 * minute]: ratio })],
    costs: { 'fee of 0.3 %': (_, ratio) => heldBlocks * getDistance(ratio) },
  },
  'the same, moved further in the last block': {
    pools: (_, ratio) => [honestAt({ [head - 31 * minute]: ratio / further, [head]: ratio })],
    costs: {
      'fee of 0.3 %': (_, ratio) => heldBlocks * getDistance(ratio / further) + getDistance(ratio),
    },
  },
}

/** The honest pool at other prices, by block. */
function honestAt(ratios: Record<number, number>): Pool {
  const states = Object.entries(ratios).map(([block, ratio]) => [
    block,
    [honestDepth * Math.sqrt(ratio), ratio],
  ])
  const { states: others } = poolAt(1, Object.fromEntries(states))
  return { ...honest, states: { ...honest.states, ...others } }
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

/** The price of the token beside the honest pool, which may be one of those of the attack. */
async function isWrong(own: Pool[], createdAt?: Record<string, number>): Promise<boolean> {
  const others = own.some(({ address }) => address === honest.address) ? [] : [honest]
  const { usd } = await priceToken(store.db, [wethUsd, ...others, ...own], {
    createdAt: createdAt ?? {},
  })
  return usd !== undefined && Math.abs(usd - 1) > tolerance
}

it.each(Object.entries(freeAttacks))('has no effect: %s', async (_, { pools, createdAt }) => {
  for (const capital of capitals) {
    expect([capital, await isWrong(pools(capital), createdAt?.(capital))]).toEqual([capital, false])
  }
})

const ratios = [1.03, 1.05, 1.1, 2]

describe('arbitrage', () => {
  const fees = [0.003, 0.02]
  const bothWays = ratios.flatMap((ratio) => [ratio, 1 / ratio])

  it('takes what its best trade takes', () => {
    for (const fee of fees) {
      for (const weight of [1 / 2, 1 / 21]) {
        for (const ratio of bothWays) {
          const usd = [1, 1 - weight] as const
          const tokens = [weight / (1 - weight) / ratio, weight] as const
          const [sold, bought] = ratio > 1 ? [tokens, usd] : [usd, tokens]
          const trade = (amount: number) => {
            const growth = (sold[0] + amount * (1 - fee)) / sold[0]
            return bought[0] * (1 - growth ** -(sold[1] / bought[1])) - amount
          }
          const taken = getArbitrage(1, { ratio, fee, weight })
          expect(findMaximum(trade, 10)).toBeCloseTo(taken, 10)
          expect(taken).toBeGreaterThan(0)
        }
      }
    }
  })

  it('takes no less of a range of the same depth, but where what it takes is a small part', () => {
    for (const fee of fees) {
      for (const ratio of ratios) {
        const end = 1 / (1 - fee)
        for (const lower of [0.999, 0.99, 0.9, 0.5, 1e-9].map((part) => part * ratio)) {
          const liquidity = 1 / (Math.sqrt(ratio) - Math.sqrt(lower))
          const from = Math.sqrt(ratio)
          const to = Math.sqrt(Math.max(end, lower))
          const taken = liquidity * (from - to) - (liquidity * (1 / to - 1 / from)) / (1 - fee)
          expect(taken).toBeGreaterThan(0.9999 * getArbitrage(1, { ratio, fee }))
        }
        // Below the true price, it takes tokens: of a range without an end that holds a twentieth.
        const from = Math.sqrt(1 / ratio)
        const to = Math.sqrt(1 - fee)
        const liquidity = leastTokenShare / from
        const taken = liquidity * (1 / from - 1 / to) - (liquidity * (to - from)) / (1 - fee)
        const expected = getArbitrage(leastTokenShare, { ratio: 1 / ratio, fee })
        expect(taken).toBeCloseTo(expected, 10)
      }
    }
  })
})

/** The highest value of a function with one maximum, from 0 on. */
function findMaximum(evaluate: (value: number) => number, high: number): number {
  let from = 0
  let to = high
  for (let step = 0; step < 200; step++) {
    const third = (to - from) / 3
    if (evaluate(from + third) < evaluate(to - third)) {
      from += third
    } else {
      to -= third
    }
  }
  return evaluate(from)
}

describe('an attack that has an effect', () => {
  it.each(Object.entries(exposedAttacks))('%s', async (_, { pools, least }) => {
    for (const [index, ratio] of ratios.entries()) {
      const capital = least?.(ratio) ?? 0
      expect([ratio, await isWrong(pools(1.02 * capital, ratio))]).toEqual([ratio, true])
      if (least && index === 0) {
        expect(await isWrong(pools(0.98 * capital, ratio))).toBe(false)
      }
    }
  })

  it('costs more than 1 % of the honest depth per hour, but for those known', () => {
    const percents = Object.entries(exposedAttacks).flatMap(([name, { least, costs }]) =>
      Object.entries(costs).flatMap(([kind, cost]) =>
        ratios.map((ratio): readonly [string, number] => {
          const percent = (100 * cost(least?.(ratio) ?? 0, ratio)) / honestDepth
          return [`${name}, ${kind}, × ${ratio}`, percent]
        }),
      ),
    )
    const cheap = percents
      .filter(([, percent]) => percent <= 1)
      .map(([name, percent]) => [name, percent.toFixed(2)])
    expect(Object.fromEntries(cheap)).toEqual({
      'a deeper pool, moved further in the last block, fee of 1 %, × 1.03': '0.36',
      'a pool with a quote token beside a deeper one without, fee of 0.3 %, × 1.03': '0.03',
      'a pool with a quote token beside a deeper one without, fee of 0.3 %, × 1.05': '0.08',
      'a pool with a quote token beside a deeper one without, fee of 0.3 %, × 1.1': '0.34',
    })
  })

  // A known gap: nothing of it is exposed, so that it costs nothing.
  it('an own token with a route and more than a hundred times the honest depth of the token', async () => {
    const hundredfold = 100 * honestDepth
    const attack = (tokens: number, routeDepth: number) =>
      isWrong([
        pair(1, x1, token, [BigInt(2 * tokens) * e18, BigInt(tokens) * e18]),
        usdPool(2, { 0: [BigInt(routeDepth), 100n] }, x1),
      ])
    expect(await attack(1.02 * hundredfold, 1.02 * honestDepth)).toBe(true)
    expect(await attack(0.98 * hundredfold, 1.02 * honestDepth)).toBe(false)
    expect(await attack(1.02 * hundredfold, 0.98 * honestDepth)).toBe(false)
  })
})
