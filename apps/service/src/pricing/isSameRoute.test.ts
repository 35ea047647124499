import { expect, it } from 'vitest'
import { isSameRoute } from './isSameRoute.ts'
import type { FoundRoute, RouteLeg } from './Route.ts'

const route = (price: bigint, poolSize = 1_000_000n, address = '0x01'): FoundRoute => ({
  route: {
    price: { numerator: price, denominator: 1_000_000n },
    poolSize: { numerator: poolSize, denominator: 1n },
    // What explains a price is not compared.
    legs: [{ type: 'uniswap-v2', address, tokens: ['0x0a', '0x0b'] } as unknown as RouteLeg],
  },
  rejected: [],
})

it('counts routes as the same while price and liquidity change by less than the limit', () => {
  const before = route(2_000_000n)
  const isSame = (after: FoundRoute | undefined) => isSameRoute(before, after, 0.0001)
  expect([isSame(route(2_000_199n)), isSame(route(1_999_801n))]).toEqual([true, true])
  expect([isSame(route(2_000_200n)), isSame(route(1_999_800n))]).toEqual([false, false])
  expect([isSame(route(2_000_000n, 1_000_099n)), isSame(route(2_000_000n, 1_000_100n))]).toEqual([
    true,
    false,
  ])
  expect([isSame(route(2_000_000n, 1_000_000n, '0x02')), isSame(undefined)]).toEqual([false, false])
  expect(isSameRoute(undefined, undefined, 0.0001)).toBe(true)
})
