import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRoutes } from './findRoutes.ts'
import type { Pool } from './Pool.ts'
import type { Rational } from './Rational.ts'
import { toNumber } from './toNumber.ts'

const e = (digits: number) => 10n ** BigInt(digits)

function pool(
  address: string,
  token0: string,
  reserve0: bigint,
  token1: string,
  reserve1: bigint,
): Pool {
  return { address, token0, token1, reserve0, reserve1 }
}

/** Price of a whole token and pool size, as numbers. */
function shown(pools: Pool[], token: string, decimals: number, hubs = ['usd', 'weth']) {
  const route = findRoutes(pools, new Map([['usd', 6]]), new Set(hubs)).get(token)
  if (!route) return undefined
  const { numerator, denominator } = route.price
  return {
    price: toNumber({ numerator: numerator * e(decimals), denominator }),
    poolSize: route.poolSize && toNumber(route.poolSize),
  }
}

describe('findRoutes', () => {
  const wethUsd = pool('0x1', 'weth', 100n * e(18), 'usd', 250_000n * e(6))

  it('prices by the reserves of the pair', () => {
    expect(shown([wethUsd], 'weth', 18)).toEqual({ price: 2500, poolSize: 250_000 })
  })

  it.each([0, 6, 8, 18, 77])('prices a token of %d decimals over two legs', (decimals) => {
    const tokenWeth = pool('0x2', 'token', 400n * e(decimals), 'weth', 2n * e(18))
    expect(shown([wethUsd, tokenWeth], 'token', decimals)).toEqual({ price: 12.5, poolSize: 5000 })
  })

  it('takes the deepest pair and not the best price', () => {
    const thin = pool('0x2', 'token', 1n, 'usd', 10n * e(6))
    const deep = pool('0x3', 'token', e(18), 'usd', 20n * e(6))
    expect(shown([thin, deep], 'token', 18)).toEqual({ price: 20, poolSize: 20 })
  })

  it('bounds a deep pair by the thinnest leg of its route', () => {
    const deep = pool('0x2', 'token', 10n * e(18), 'weth', 1000n * e(18))
    expect(shown([wethUsd, deep], 'token', 18)).toEqual({ price: 250_000, poolSize: 250_000 })
  })

  it('prefers the deeper own pair where the rest of the route is the thinnest leg of both', () => {
    const deep = pool('0x2', 'token', 10n * e(18), 'weth', 1000n * e(18))
    const deeper = pool('0x3', 'token', 40n * e(18), 'weth', 2000n * e(18))
    const other = pool('0x4', 'token', 10n * e(18), 'weth', 1000n * e(18))
    for (const pools of [
      [wethUsd, deep, deeper, other],
      [other, deeper, deep, wethUsd],
    ])
      expect(shown(pools, 'token', 18)?.price).toBe(125_000)
  })

  it('counts a pool with an empty side for nothing', () => {
    expect(shown([pool('0x2', 'token', 0n, 'usd', e(12))], 'token', 18)).toBeUndefined()
    expect(shown([pool('0x2', 'token', e(18), 'usd', 0n)], 'token', 18)).toBeUndefined()
  })

  it('never routes over a token that is no hub', () => {
    const bridge = [
      pool('0x2', 'token', e(18), 'usd', 1_000_000n * e(6)),
      pool('0x3', 'token', e(18), 'weth', 400n * e(18)),
    ]
    expect(shown(bridge, 'weth', 18)).toBeUndefined()
    expect(shown([wethUsd, ...bridge], 'weth', 18)?.price).toBe(2500)
  })

  it('holds a stablecoin at 1 USD and says how deep its deepest pool is', () => {
    expect(shown([wethUsd], 'usd', 6)).toEqual({ price: 1, poolSize: 250_000 })
    expect(shown([], 'usd', 6)).toEqual({ price: 1, poolSize: undefined })
  })
})

const names = ['usd', 'a', 'b', 'c', 'd', 'e']
const reserve = fc.bigInt({ min: 0n, max: 10_000n })
const edges = fc.array(
  fc.tuple(fc.nat(names.length - 1), fc.nat(names.length - 1), reserve, reserve),
  { maxLength: 12 },
)

it('is what walking all simple paths finds, where pools agree on prices', () => {
  // Worth of a unit of each token, in cents. Both sides of every pool are worth the same.
  const worths = fc.tuple(...names.slice(1).map(() => fc.bigInt({ min: 1n, max: 50n })))
  fc.assert(
    fc.property(edges, worths, (drawn, others) => {
      const worth = new Map(names.map((name, index) => [name, others[index - 1] ?? 100n]))
      const of = (name: string) => worth.get(name) ?? 0n
      const pools = drawn
        .filter(([a, b]) => a !== b)
        .map(([a, b, size], index) => {
          const [one, two] = [names[a] ?? '', names[b] ?? '']
          const sides = of(one) * of(two) * size
          return pool(`0x${index}`, one, sides / of(one), two, sides / of(two))
        })
      const routes = findRoutes(pools, new Map([['usd', 0]]), new Set(names))
      for (const name of names.slice(1)) {
        const widest = widestPath(pools, name, (pool) => pool.reserve0 * of(pool.token0))
        const route = routes.get(name)
        expect(route !== undefined).toBe(widest > 0n)
        if (!route) continue
        expectEqual(route.price, { numerator: of(name), denominator: 100n })
        expectEqual(route.poolSize, { numerator: widest, denominator: 100n })
      }
    }),
    { numRuns: 1000 },
  )
})

it('leaves no pool that offers a deeper route, where pools disagree on prices', () => {
  fc.assert(
    fc.property(edges, (drawn) => {
      const pools = drawn
        .filter(([a, b]) => a !== b)
        .map(([a, b, one, two], i) => pool(`0x${i}`, names[a] ?? '', one, names[b] ?? '', two))
      const routes = findRoutes(pools, new Map([['usd', 0]]), new Set(names))
      const priced = new Set<string>()
      for (const { token0, token1, reserve0, reserve1 } of pools)
        for (const [token, own, quote, other] of [
          [token0, reserve0, token1, reserve1],
          [token1, reserve1, token0, reserve0],
        ] as const) {
          const from = routes.get(quote)
          if (!from || own === 0n || other === 0n) continue
          const to = routes.get(token)
          const leg = value(from.price) * Number(other)
          // The anchor is of unbounded depth, whatever its own pools hold.
          const offered = Math.min(leg, quote === 'usd' ? Infinity : value(from.poolSize))
          expect(value(to?.poolSize)).toBeGreaterThanOrEqual(offered * (1 - 1e-12))
          if (isNear(value(to?.poolSize), offered) && isNear(value(to?.price), leg / Number(own)))
            priced.add(token)
        }
      // And every route is the offer of some pool.
      for (const token of routes.keys()) if (token !== 'usd') expect(priced).toContain(token)
    }),
    { numRuns: 1000 },
  )
})

function widestPath(pools: Pool[], token: string, sizeOf: (pool: Pool) => bigint): bigint {
  const walk = (at: string, seen: string[], width: bigint | undefined): bigint => {
    if (at === 'usd') return width ?? 0n
    let widest = 0n
    for (const pool of pools) {
      if (pool.token0 !== at && pool.token1 !== at) continue
      const next = pool.token0 === at ? pool.token1 : pool.token0
      if (seen.includes(next)) continue
      const size = sizeOf(pool)
      const found = walk(next, [...seen, next], width === undefined || size < width ? size : width)
      if (found > widest) widest = found
    }
    return widest
  }
  return walk(token, [token], undefined)
}

function expectEqual(actual: Rational | undefined, expected: Rational) {
  expect((actual?.numerator ?? 0n) * expected.denominator).toBe(
    expected.numerator * (actual?.denominator ?? 1n),
  )
}

function value(fraction: Rational | undefined): number {
  return fraction ? toNumber(fraction) : NaN
}

function isNear(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-12 * Math.max(a, b)
}
