import { expect, it } from 'vitest'
import { findAnchors } from './findAnchors.ts'
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

it('leaves a stablecoin whose feed fell to its pools with the others', () => {
  expect(find([usdc, dai], { [usdc]: 87, [dai]: 100 })).toEqual({
    prices: { [dai]: 1 },
    depegged: [usdc],
  })
})
