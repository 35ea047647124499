import { expect, it } from 'vitest'
import { assessPool } from './AssessedPool.ts'
import { findAnchors } from './findAnchors.ts'
import type { Rational } from './Rational.ts'
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
  const prices = [...routes].map(([token, { price }]) => [token, toNumber(price) * 1e6])
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
    ...{ kind: 'uniswap-v2' as const, address: '0x1', token0: usdc, token1: dai },
    ...{ reserve0: 10_000n * 10n ** 6n, reserve1: 20_000n * 10n ** 6n },
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
