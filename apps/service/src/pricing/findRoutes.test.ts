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
  return { kind: 'uniswap-v2', address, token0, token1, reserve0, reserve1 }
}

/** A V3 pool at the price of token 0 in token 1 (the square of `root`), and what its positions in range hold. */
function pool3(
  address: string,
  token0: string,
  reserve0: bigint,
  token1: string,
  reserve1: bigint,
  root: number,
): Pool {
  const sqrtPrice = BigInt(root * 2 ** 48) << 48n
  return { kind: 'uniswap-v3', address, token0, token1, reserve0, reserve1, sqrtPrice }
}

/** Price of a whole token and pool size, as numbers. */
function shown(pools: Pool[], token: string, decimals: number, hubs = ['usd', 'weth']) {
  const route = findRoutes(pools, new Map([['usd', 6]]), new Set(hubs)).get(token)
  if (!route) {
    return undefined
  }
  const { numerator, denominator } = route.price
  return {
    price: toNumber({ numerator: numerator * e(decimals), denominator }),
    poolSize: route.poolSize && toNumber(route.poolSize),
  }
}

/** Addresses of the pools that a price comes from. */
function legs(pools: Pool[], token: string): (string | undefined)[] | undefined {
  const route = findRoutes(pools, new Map([['usd', 6]]), new Set(['usd', 'weth'])).get(token)
  return route?.legs.map(({ address }) => address)
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
    const thin = pool('0x2', 'token', 1000n, 'usd', 10n * e(6))
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
    ]) {
      expect(shown(pools, 'token', 18)?.price).toBe(125_000)
    }
  })

  it('counts a pool with an empty side for nothing', () => {
    expect(shown([pool('0x2', 'token', 0n, 'usd', e(12))], 'token', 18)).toBeUndefined()
    expect(shown([pool('0x2', 'token', e(18), 'usd', 0n)], 'token', 18)).toBeUndefined()
  })

  it('counts a pool with less than a hundred units of the token for nothing, however much is to be had', () => {
    const honest = pool('0x2', 'token', e(18), 'usd', 20n * e(6))
    const absurd = (units: bigint) => pool('0x3', 'token', units, 'usd', e(12))
    expect(shown([honest, absurd(99n)], 'token', 18)).toEqual({ price: 20, poolSize: 20 })
    expect(shown([absurd(99n)], 'token', 18)).toBeUndefined()
    expect(shown([honest, absurd(100n)], 'token', 18)?.poolSize).toBe(1_000_000)
  })

  it('says from which pools a price comes, from the token to the stablecoin', () => {
    const tokenWeth = pool('0x2', 'token', 400n * e(18), 'weth', 2n * e(18))
    const route = findRoutes(
      [wethUsd, tokenWeth],
      new Map([['usd', 6]]),
      new Set(['usd', 'weth']),
    ).get('token')
    expect(route?.legs).toEqual([
      { type: 'uniswap-v2', address: '0x2', tokens: ['token', 'weth'] },
      { type: 'uniswap-v2', address: '0x1', tokens: ['weth', 'usd'] },
    ])
    expect(legs([wethUsd], 'usd')).toEqual([])
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

describe('findRoutes with Uniswap V3 pools', () => {
  it('prices by the square root price, and sizes by the quote side in range', () => {
    // Worth 4 smallest units of usd each, though the sides in range are not as 1 to 4.
    const token0 = pool3('0x1', 'token', 3n * e(6), 'usd', 5n * e(6), 2)
    expect(shown([token0], 'token', 6)).toEqual({ price: 4, poolSize: 5 })
    const token1 = pool3('0x1', 'usd', 5n * e(6), 'token', 3n * e(6), 2)
    expect(shown([token1], 'token', 6)).toEqual({ price: 0.25, poolSize: 5 })
  })

  it('keeps every digit of the price over two legs', () => {
    const wethUsd = pool3('0x1', 'weth', e(20), 'usd', e(11), 2 ** -16)
    const tokenWeth = pool3('0x2', 'token', e(20), 'weth', e(20), 3)
    const price = findRoutes(
      [wethUsd, tokenWeth],
      new Map([['usd', 6]]),
      new Set(['usd', 'weth']),
    ).get('token')?.price
    expectEqual(price, { numerator: 9n, denominator: 2n ** 32n * e(6) })
  })

  it('lets the fee tiers of a pair compete with each other and with its V2 pool', () => {
    const cheap = pool3('0x1', 'token', e(20), 'usd', 100n * e(6), 2 ** -20)
    const usual = pool3('0x2', 'token', e(20), 'usd', 900n * e(6), 2 ** -19)
    const v2 = (usd: bigint) => pool('0x3', 'token', e(20), 'usd', usd * e(6))
    expect(legs([cheap, usual, v2(899n)], 'token')).toEqual(['0x2'])
    expect(legs([cheap, usual, v2(901n)], 'token')).toEqual(['0x3'])
    expect(shown([cheap, usual, v2(899n)], 'token', 18)?.poolSize).toBe(900)
  })

  it('counts liquidity out of range, on either side, for nothing', () => {
    const out = pool3('0x1', 'token', 0n, 'usd', 0n, 1)
    const below = pool3('0x2', 'token', 0n, 'usd', e(15), 1)
    const above = pool3('0x3', 'token', e(30), 'usd', 0n, 1)
    expect(shown([out, below, above], 'token', 6)).toBeUndefined()
    const honest = pool('0x4', 'token', e(6), 'usd', 20n * e(6))
    expect(shown([out, below, above, honest], 'token', 6)).toEqual({ price: 20, poolSize: 20 })
  })

  it('counts a pool at the edge of its range for nothing: a side worth a thousandth of the other', () => {
    // Worth 4 units each: 250 units against a million is a thousandth.
    const edge = (units: bigint) => pool3('0x1', 'token', units, 'usd', e(6), 2)
    expect(shown([edge(249n)], 'token', 6)).toBeUndefined()
    expect(shown([edge(250n)], 'token', 6)).toEqual({ price: 4, poolSize: 1 })
    // The other way round the token is nearly all there is, and the little of the quote side says how little is sold into.
    const full = pool3('0x1', 'token', e(12), 'usd', 250n, 2)
    expect(shown([full], 'token', 6)).toEqual({ price: 4, poolSize: 0.00025 })
  })

  it('lets no dust pool with an absurd price win', () => {
    const honest = pool3('0x1', 'token', e(20), 'usd', 900n * e(6), 2 ** -19)
    const absurd = pool3('0x2', 'token', e(6), 'usd', 899n * e(6), 2 ** 30)
    expect(legs([absurd, honest], 'token')).toEqual(['0x1'])
  })

  it('counts a pool without a price for nothing', () => {
    expect(shown([pool3('0x1', 'token', e(6), 'usd', e(6), 0)], 'token', 6)).toBeUndefined()
  })
})

const names = ['usd', 'a', 'b', 'c', 'd', 'e']
// Nothing, or enough to be no dust.
const reserve = fc.bigInt({ min: 0n, max: 10_000n }).map((units) => units * 100n)
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
        if (!route) {
          continue
        }
        expectEqual(route.price, { numerator: of(name), denominator: 100n })
        expectEqual(route.poolSize, { numerator: widest, denominator: 100n })
      }
    }),
    { numRuns: 1000 },
  )
})

it('leaves no pool that offers a deeper route, where pools disagree on prices', () => {
  // A V3 pool where there is a power of two, the square root of its price.
  const drawnPools = fc.array(
    fc.tuple(
      ...([fc.nat(names.length - 1), fc.nat(names.length - 1), reserve, reserve] as const),
      fc.option(fc.integer({ min: -8, max: 8 })),
    ),
    { maxLength: 12 },
  )
  let oneSided = 0
  fc.assert(
    fc.property(drawnPools, (drawn) => {
      const pools = drawn
        .filter(([a, b]) => a !== b)
        .map(([a, b, one, two, power], i) => {
          const sides = [names[a] ?? '', one, names[b] ?? '', two] as const
          return power === null ? pool(`0x${i}`, ...sides) : pool3(`0x${i}`, ...sides, 2 ** power)
        })
      const routes = findRoutes(pools, new Map([['usd', 0]]), new Set(names))
      const priced = new Set<string>()
      for (const { token0, token1, reserve0, reserve1, sqrtPrice } of pools) {
        const root = Number(sqrtPrice ?? 0n) / 2 ** 96
        const ratio = root === 0 ? Number(reserve1) / Number(reserve0) : root ** 2
        for (const [token, own, quote, other, price] of [
          [token0, reserve0, token1, reserve1, ratio],
          [token1, reserve1, token0, reserve0, 1 / ratio],
        ] as const) {
          const from = routes.get(quote)
          if (!from || own === 0n || other === 0n) {
            continue
          }
          if (root > 0 && Number(own) * price * 1000 < Number(other)) {
            oneSided++
            continue
          }
          const to = routes.get(token)
          const leg = value(from.price) * Number(other)
          // The anchor is of unbounded depth, whatever its own pools hold.
          const offered = Math.min(leg, quote === 'usd' ? Infinity : value(from.poolSize))
          expect(value(to?.poolSize)).toBeGreaterThanOrEqual(offered * (1 - 1e-12))
          const isNearPrice = isNear(value(to?.price), value(from.price) * price)
          if (isNear(value(to?.poolSize), offered) && isNearPrice) {
            priced.add(token)
          }
        }
      }
      // And every route is the offer of some pool.
      for (const token of routes.keys()) {
        if (token !== 'usd') {
          expect(priced).toContain(token)
        }
      }
    }),
    { numRuns: 1000 },
  )
  expect(oneSided).toBeGreaterThan(0)
})

function widestPath(pools: Pool[], token: string, sizeOf: (pool: Pool) => bigint): bigint {
  const walk = (at: string, seen: string[], width: bigint | undefined): bigint => {
    if (at === 'usd') {
      return width ?? 0n
    }
    let widest = 0n
    for (const pool of pools) {
      if (pool.token0 !== at && pool.token1 !== at) {
        continue
      }
      const next = pool.token0 === at ? pool.token1 : pool.token0
      if (seen.includes(next)) {
        continue
      }
      const size = sizeOf(pool)
      const found = walk(next, [...seen, next], width === undefined || size < width ? size : width)
      if (found > widest) {
        widest = found
      }
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
