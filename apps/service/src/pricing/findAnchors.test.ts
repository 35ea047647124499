import { expect, it } from 'vitest'
import { type AssessedPool, assessPool } from './AssessedPool.ts'
import { ConcentratedLiquidity } from './ConcentratedLiquidity.ts'
import { findAnchors } from './findAnchors.ts'
import type { Pool } from './Pool.ts'
import type { Rational } from './Rational.ts'
import { getSqrtRatioAtTick } from './TickMath.ts'
import { toNumber } from './toNumber.ts'

const [usdc, dai] = ['0xa', '0xb'] as const

/** Anchors without pools, by the values of their feeds in hundredths of USD. */
function find(stablecoins: readonly string[], feeds: Record<string, number>) {
  const { routes, depegged } = findAnchors(
    new Map(),
    new Map(stablecoins.map((token) => [token, 6])),
    new Map(
      Object.entries(feeds).map(([token, cents]) => [
        token,
        { numerator: BigInt(cents), denominator: 100n },
      ]),
    ),
  )
  const prices = [...routes].map(([token, { route }]) => [
    token,
    route && toNumber(route.price) * 1e6,
  ])
  return { prices: Object.fromEntries(prices) as Record<string, number>, depegged: [...depegged] }
}

it('counts a stablecoin as 1 USD while its feed is within 2 %, or without one', () => {
  expect(find([usdc], {})).toEqual({ prices: { [usdc]: 1 }, depegged: [] })
  expect(find([usdc], { [usdc]: 98 })).toEqual({ prices: { [usdc]: 1 }, depegged: [] })
  expect(find([usdc, dai], { [usdc]: 102 })).toEqual({
    prices: { [usdc]: 1, [dai]: 1 },
    depegged: [],
  })
})

it('prices the only stablecoin by its feed once that leaves 1 USD', () => {
  expect(find([usdc], { [usdc]: 87 })).toEqual({ prices: { [usdc]: 0.87 }, depegged: [usdc] })
  expect(find([usdc, dai], { [usdc]: 87, [dai]: 125 })).toEqual({
    prices: { [usdc]: 0.87, [dai]: 1.25 },
    depegged: [usdc, dai],
  })
})

it('does not count a stablecoin as 1 USD whose pools may be displaced, unless its feed does', () => {
  const pool = {
    kind: 'uniswap-v2' as const,
    address: '0x1',
    token0: usdc,
    token1: dai,
    reserve0: 10_000n * 10n ** 6n,
    reserve1: 20_000n * 10n ** 6n,
  }
  const history = { pool, isSeasoned: true, createdBlock: 0, samples: [] }
  const of = (leastRank?: number) => assessPool({ ...history, leastRank })
  const stablecoins = new Map([usdc, dai].map((token) => [token, 6]))
  const large = assessPool({
    ...history,
    pool: { ...pool, address: '0x2', token1: '0xc', reserve0: 10n ** 14n, reserve1: 10n ** 14n },
  })
  const depegged = (leastRank?: number, feeds?: Map<string, Rational>) =>
    findAnchors(
      new Map([
        [usdc, [of(), large]],
        [dai, [of(leastRank)]],
      ]),
      stablecoins,
      feeds,
    ).depegged
  expect(depegged()).toEqual(new Set([dai]))
  expect(depegged(50)).toEqual(new Set([dai]))
  expect(depegged(50, new Map([[dai, { numerator: 1n, denominator: 1n }]]))).toEqual(new Set())
})

it('leaves a stablecoin whose feed fell to its pools with the others', () => {
  expect(find([usdc, dai], { [usdc]: 87, [dai]: 100 })).toEqual({
    prices: { [dai]: 1 },
    depegged: [usdc],
  })
})

const [usdt, thin, weth] = ['0xd', '0xe', '0xf'] as const
const units = (amount: number) => BigInt(Math.round(amount * 1e6))

/** Whose reserves were the same for the whole window. Amounts in whole tokens of 6 decimals. */
const assess = (pool: Pool) => assessPool({ pool, isSeasoned: true, createdBlock: 0, samples: [] })

function constantProduct(address: string, token0: string, token1: string, amounts: number[]) {
  const [reserve0 = 0n, reserve1 = 0n] = amounts.map(units)
  return assess({ kind: 'uniswap-v2', address, token0, token1, reserve0, reserve1 })
}

function findDepegged(pools: readonly AssessedPool[], feeds?: Map<string, Rational>): string[] {
  const byToken = new Map<string, AssessedPool[]>()
  for (const assessed of pools) {
    for (const token of [assessed.pool.token0, assessed.pool.token1]) {
      byToken.set(token, [...(byToken.get(token) ?? []), assessed])
    }
  }
  const stablecoins = new Map([usdc, usdt, thin].map((token) => [token, 6]))
  return [...findAnchors(byToken, stablecoins, feeds).depegged]
}

const deepPools = [
  constantProduct('0x1', usdc, usdt, [5e6, 5e6]),
  constantProduct('0x2', usdc, weth, [5e6, 2500]),
  constantProduct('0x3', usdt, weth, [5e6, 2500]),
]

it.each([
  [1, false],
  [0.97, true],
  [0.91, true],
  // Below, the pool has no liquidity in range.
  [0.9001, true],
  [0.5, true],
  [0.05, true],
])(
  'notices that a stablecoin with liquidity from 0.90 to 1.10 is traded at %s: %s',
  (price, isDepegged) => {
    const liquidity = new ConcentratedLiquidity()
    liquidity.add({ tickLower: -953, tickUpper: 1053 }, 10n ** 14n)
    const sqrtPrice = getSqrtRatioAtTick(Math.round(Math.log(1 / price) / Math.log(1.0001)))
    const reserves = liquidity.getReserves(sqrtPrice)
    const pool = { kind: 'uniswap-v3', address: '0x5', token0: usdc, token1: thin } as const
    const pools = [...deepPools, assess({ ...pool, sqrtPrice, ...reserves })]
    expect(findDepegged(pools)).toEqual(isDepegged ? [thin] : [])
    const feeds = new Map([[thin, { numerator: 1n, denominator: 1n }]])
    expect(findDepegged(pools, feeds)).toEqual(isDepegged && price > 0.9001 ? [thin] : [])
  },
)

it('counts a stablecoin without pools as 1 USD', () => {
  expect(findDepegged(deepPools)).toEqual([])
})

it('is not moved by a thin stablecoin above 1 USD, whose other pools hold much of it alone', () => {
  const traded = constantProduct('0x5', usdc, thin, [25_750, 25_000])
  expect(findDepegged([...deepPools, traded])).toEqual([thin])
  // In range at its lower edge, so that nothing can be sold into it.
  const oneSided = assess({
    kind: 'uniswap-v3',
    address: '0x6',
    token0: usdc,
    token1: thin,
    reserve0: 1n,
    reserve1: units(8e6),
    sqrtPrice: getSqrtRatioAtTick(-10_986),
  })
  expect(findDepegged([...deepPools, traded, oneSided])).toEqual([thin])
  // 94 % of a pool of seven tokens.
  const amount = 1.2e6
  const weighted = [usdc, usdt, weth, '0x11', '0x12', '0x13'].map((other) => {
    const whole = (amount * 1.03) / 94 / (other === weth ? 2000 : 1)
    const reserve0 = units(amount)
    const reserve1 = units(whole)
    const prices = { price0: (94n << 256n) / reserve0, price1: (1n << 256n) / reserve1 }
    const pool = { kind: 'balancer-weighted', address: '0x7', token0: thin, token1: other } as const
    return assess({ ...pool, reserve0, reserve1, ...prices })
  })
  expect(findDepegged([...deepPools, traded, ...weighted])).toEqual([thin])
})
