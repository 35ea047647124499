import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AssessedPool, assessPool } from './AssessedPool.ts'
import { findRoutes } from './findRoutes.ts'
import type { Pool } from './Pool.ts'
import type { Rational } from './Rational.ts'
import { RouteFinder } from './RouteFinder.ts'
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

/** A V3 pool whose price of token 0 in token 1 is the square of `root`, with the reserves in range. */
function poolV3(
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

const assess = (pool: Pool) => assessPool({ pool, isSeasoned: true, createdBlock: 0, samples: [] })

/** The pools of each token, without a window. */
function byToken(pools: readonly Pool[]): Map<string, AssessedPool[]> {
  const found = new Map<string, AssessedPool[]>()
  for (const pool of pools) {
    const assessed = assess(pool)
    for (const token of [pool.token0, pool.token1]) {
      found.set(token, [...(found.get(token) ?? []), assessed])
    }
  }
  return found
}

function routeOf(pools: Pool[], token: string, quoteTokens = ['usd', 'weth']) {
  const stablecoins = new Map([['usd', 6]])
  return findRoutes([token], byToken(pools), stablecoins, new Set(quoteTokens)).routes.get(token)
}

/** Price of a whole token and pool size, as numbers. */
function quoteOf(pools: Pool[], token: string, decimals: number) {
  const route = routeOf(pools, token)?.route
  if (!route) {
    return undefined
  }
  const { numerator, denominator } = route.price
  return {
    price: toNumber({ numerator: numerator * e(decimals), denominator }),
    poolSize: route.poolSize && toNumber(route.poolSize),
  }
}

/** Addresses of the pools of a route. */
function legs(pools: Pool[], token: string): (string | undefined)[] | undefined {
  return routeOf(pools, token)?.route?.legs.map(({ address }) => address)
}

/** Addresses of the pools that do not price a token, and why. */
function rejections(pools: Pool[], token: string): Record<string, string> {
  const rejected = routeOf(pools, token)?.rejected ?? []
  return Object.fromEntries(rejected.map(({ assessed, reason }) => [assessed.pool.address, reason]))
}

describe('findRoutes', () => {
  const wethUsd = pool('0x1', 'weth', 100n * e(18), 'usd', 250_000n * e(6))

  it('prices by the reserves of the pair', () => {
    expect(quoteOf([wethUsd], 'weth', 18)).toEqual({ price: 2500, poolSize: 250_000 })
  })

  it.each([0, 6, 8, 18, 77])('prices a token of %d decimals over two legs', (decimals) => {
    const tokenWeth = pool('0x2', 'token', 400n * e(decimals), 'weth', 2n * e(18))
    expect(quoteOf([wethUsd, tokenWeth], 'token', decimals)).toEqual({
      price: 12.5,
      poolSize: 5000,
    })
  })

  it('prefers the deepest pair to the best price', () => {
    const thin = pool('0x2', 'token', 1000n, 'usd', 10n * e(6))
    const deep = pool('0x3', 'token', e(18), 'usd', 20n * e(6))
    expect(quoteOf([thin, deep], 'token', 18)).toEqual({ price: 20, poolSize: 20 })
  })

  it('limits the depth of a pair by the other legs of its route', () => {
    const deep = pool('0x2', 'token', 10n * e(18), 'weth', 1000n * e(18))
    expect(quoteOf([wethUsd, deep], 'token', 18)).toEqual({ price: 250_000, poolSize: 250_000 })
  })

  it('prefers the deeper pair where the rest of the route limits both', () => {
    const deep = pool('0x2', 'token', 10n * e(18), 'weth', 1000n * e(18))
    const deeper = pool('0x3', 'token', 20n * e(18), 'weth', 2000n * e(18))
    const other = pool('0x4', 'token', 10n * e(18), 'weth', 1000n * e(18))
    for (const pools of [
      [wethUsd, deep, deeper, other],
      [other, deeper, deep, wethUsd],
    ]) {
      expect(legs(pools, 'token')).toEqual(['0x3', '0x1'])
    }
  })

  it('ignores pools with other tokens, unless they hold a hundred times the depth of those with quote tokens', () => {
    const own = pool('0x3', 'own', e(18), 'usd', 900_000n * e(6))
    const honest = pool('0x2', 'token', 1_000n * e(18), 'usd', 1_000n * e(6))
    const ownPair = (units: bigint) => pool('0x4', 'token', units, 'own', e(16))
    expect(legs([own, ownPair(100_000n * e(18)), honest], 'token')).toEqual(['0x2'])
    expect(legs([own, ownPair(100_000n * e(18) + 1n), honest], 'token')).toEqual(['0x4', '0x3'])
    expect(rejections([own, ownPair(100_000n * e(18) + 1n), honest], 'token')).toEqual({
      '0x2': 'OUTLIER',
    })
  })

  it('prices a token by its deep pool with a hub, rather than by a thin one with a quote token', () => {
    const hub = pool('0x3', 'hub', 10_000_000n * e(18), 'usd', 10_000_000n * e(6))
    const deep = pool('0x4', 'agent', 5_000_000n * e(18), 'hub', 5_000_000n * e(18))
    const thin = pool('0x5', 'agent', 901_785_714_285_714_285_714n, 'usd', 1_010n * e(6))
    expect(quoteOf([hub, deep, thin], 'agent', 18)).toEqual({ price: 1, poolSize: 5_000_000 })
    expect(rejections([hub, deep, thin], 'agent')).toEqual({ '0x5': 'OUTLIER' })
  })

  it('counts a pool of many tokens once, however many pairs of a token it has', () => {
    const hub = pool('0x3', 'hub', 10_000_000n * e(18), 'usd', 10_000_000n * e(6))
    const honest = pool('0x4', 'token', 1_000n * e(18), 'hub', 1_000n * e(18))
    const pairs = ['0x8', '0x9'].flatMap((address) =>
      ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((each) =>
        pool(address, 'token', 2_000n * e(18), each, e(18)),
      ),
    )
    expect(legs([hub, ...pairs, honest], 'token')).toEqual(['0x4', '0x3'])
  })

  it('searches the pools of few tokens, however many there are', () => {
    // Each token of a tree has pools with eight others.
    const pools: Pool[] = []
    const grow = (token: string, depth: number) => {
      for (let index = 0; depth > 0 && index < 8; index++) {
        const other = `${token}${index}`
        pools.push(pool(`0x${other}`, token, BigInt(index + 1) * e(18), other, e(18)))
        grow(other, depth - 1)
      }
    }
    grow('t', 4)
    const known = byToken(pools)
    const loaded = new Map<string, readonly AssessedPool[]>()
    const search = () => {
      const missing = new Set<string>()
      const onMissing = (token: string) => missing.add(token)
      const finder = new RouteFinder(loaded, new Map(), { quoteTokens: new Set(), onMissing })
      expect(finder.find('t') === undefined).toBe(missing.size > 0)
      return missing
    }
    for (let missing = search(); missing.size > 0; missing = search()) {
      missing.forEach((token) => loaded.set(token, known.get(token) ?? []))
    }
    expect(loaded.size).toBeLessThanOrEqual(169)
    expect(loaded.size).toBeGreaterThan(40)
  })

  it('ignores a pool with an empty reserve', () => {
    expect(quoteOf([pool('0x2', 'token', 0n, 'usd', e(12))], 'token', 18)).toBeUndefined()
    expect(quoteOf([pool('0x2', 'token', e(18), 'usd', 0n)], 'token', 18)).toBeUndefined()
  })

  it('ignores a pool with less than a hundred units of the token, whatever its other reserve', () => {
    const honest = pool('0x2', 'token', e(18), 'usd', 20n * e(6))
    const absurd = (units: bigint) => pool('0x3', 'token', units, 'usd', e(12))
    expect(quoteOf([honest, absurd(99n)], 'token', 18)).toEqual({ price: 20, poolSize: 20 })
    expect(quoteOf([absurd(99n)], 'token', 18)).toBeUndefined()
    expect(quoteOf([honest, absurd(100n)], 'token', 18)?.poolSize).toBe(1_000_000)
  })

  it('returns the pools of the route, from the token to the stablecoin', () => {
    const tokenWeth = pool('0x2', 'token', 400n * e(18), 'weth', 2n * e(18))
    expect(routeOf([wethUsd, tokenWeth], 'token')?.route?.legs).toMatchObject([
      { type: 'uniswap-v2', address: '0x2', tokens: ['token', 'weth'] },
      { type: 'uniswap-v2', address: '0x1', tokens: ['weth', 'usd'] },
    ])
    expect(legs([wethUsd], 'usd')).toEqual([])
  })

  it('prices a token by its deepest pair, whatever the other token is', () => {
    const kelp = pool('0x2', 'kelp', 20_000n * e(18), 'weth', 40n * e(18))
    const brookKelp = pool('0x3', 'brook', 20_000n * e(18), 'kelp', 20_000n * e(18))
    // 0.001 token in a pair with a quote token.
    const dust = pool('0x4', 'brook', e(15), 'weth', e(17))
    const pools = [wethUsd, kelp, brookKelp, dust]
    expect(quoteOf(pools, 'brook', 18)).toEqual({ price: 5, poolSize: 100_000 })
    expect(legs(pools, 'brook')).toEqual(['0x3', '0x2', '0x1'])
    expect(rejections(pools, 'brook')).toEqual({ '0x4': 'OUTLIER' })
  })

  it('prices quote tokens by each other', () => {
    const bridge = [
      pool('0x2', 'token', e(18), 'usd', 1_000_000n * e(6)),
      pool('0x3', 'token', e(18), 'weth', 400n * e(18)),
    ]
    expect(quoteOf([wethUsd, ...bridge], 'weth', 18)?.price).toBe(2500)
    // Without such a pool, they are priced like any other token.
    expect(legs(bridge, 'weth')).toEqual(['0x3', '0x2'])
  })

  it('uses at most four pools', () => {
    const chain = ['usd', 'a', 'b', 'c', 'd', 'e']
    const pools = chain.slice(1).map((token, index) => {
      return pool(`0x${index}`, token, e(18), chain[index] ?? '', index === 0 ? e(9) : e(18))
    })
    expect(legs(pools, 'd')).toEqual(['0x3', '0x2', '0x1', '0x0'])
    expect(legs(pools, 'e')).toBeUndefined()
    expect(rejections(pools, 'e')).toEqual({ '0x4': 'NO_ROUTE' })
  })

  it('selects the deepest of the three deepest pools that agree within 2 % of their weighted median', () => {
    const usdPool = (address: string, usd: bigint, price: bigint) =>
      pool(address, 'token', (usd * e(18) * 100n) / price, 'usd', usd * e(6))
    const pools = [
      usdPool('0x2', 500n, 300n),
      usdPool('0x3', 300n, 100n),
      usdPool('0x4', 400n, 101n),
      // Fourth, and not compared.
      usdPool('0x5', 200n, 300n),
    ]
    expect(legs(pools, 'token')).toEqual(['0x4'])
    expect(rejections(pools, 'token')).toEqual({ '0x2': 'OUTLIER' })
    expect(quoteOf(pools, 'token', 18)?.poolSize).toBe(400)
  })

  it('prices a stablecoin at 1 USD, with the size of its deepest pool', () => {
    expect(quoteOf([wethUsd], 'usd', 6)).toEqual({ price: 1, poolSize: 250_000 })
    expect(quoteOf([], 'usd', 6)).toEqual({ price: 1, poolSize: undefined })
  })

  it('rejects a young pool as young, also of a stablecoin and where its other token has no route', () => {
    const young = { ...assess(wethUsd), isSeasoned: false }
    const pools = new Map([young.pool.token0, young.pool.token1].map((token) => [token, [young]]))
    const quoteTokens = new Set(['usd', 'weth'])
    const { routes } = findRoutes(quoteTokens, pools, new Map([['usd', 6]]), quoteTokens)
    expect(routes.get('weth')).toMatchObject({ route: undefined, rejected: [{ reason: 'YOUNG' }] })
    expect(routes.get('usd')).toMatchObject({ route: {}, rejected: [{ reason: 'YOUNG' }] })
  })
})

describe('findRoutes with Uniswap V3 pools', () => {
  it('derives the price from the square root price, and the size from the quote reserve in range', () => {
    // A price of 4 smallest units of usd, unlike the ratio of the reserves in range.
    const token0 = poolV3('0x1', 'token', 3n * e(6), 'usd', 5n * e(6), 2)
    expect(quoteOf([token0], 'token', 6)).toEqual({ price: 4, poolSize: 5 })
    const token1 = poolV3('0x1', 'usd', 5n * e(6), 'token', 3n * e(6), 2)
    expect(quoteOf([token1], 'token', 6)).toEqual({ price: 0.25, poolSize: 5 })
  })

  it('computes the exact price over two legs', () => {
    const wethUsd = poolV3('0x1', 'weth', e(20), 'usd', e(11), 2 ** -16)
    const tokenWeth = poolV3('0x2', 'token', e(20), 'weth', e(20), 3)
    const price = routeOf([wethUsd, tokenWeth], 'token')?.route?.price
    expectEqual(price, { numerator: 9n, denominator: 2n ** 32n * e(6) })
  })

  it('compares the fee tiers of a pair with each other and with its V2 pool', () => {
    const cheap = poolV3('0x1', 'token', e(20), 'usd', 100n * e(6), 2 ** -20)
    const usual = poolV3('0x2', 'token', e(20), 'usd', 900n * e(6), 2 ** -19)
    // At the price of the usual one.
    const v2 = (usd: bigint) => pool('0x3', 'token', usd * e(6) * 2n ** 38n, 'usd', usd * e(6))
    expect(legs([cheap, usual, v2(899n)], 'token')).toEqual(['0x2'])
    expect(legs([cheap, usual, v2(901n)], 'token')).toEqual(['0x3'])
    expect(quoteOf([cheap, usual, v2(899n)], 'token', 18)?.poolSize).toBe(900)
  })

  it('ignores liquidity out of range, on either side', () => {
    const out = poolV3('0x1', 'token', 0n, 'usd', 0n, 1)
    const below = poolV3('0x2', 'token', 0n, 'usd', e(15), 1)
    const above = poolV3('0x3', 'token', e(30), 'usd', 0n, 1)
    expect(quoteOf([out, below, above], 'token', 6)).toBeUndefined()
    const honest = pool('0x4', 'token', e(6), 'usd', 20n * e(6))
    expect(quoteOf([out, below, above, honest], 'token', 6)).toEqual({ price: 20, poolSize: 20 })
  })

  it('ignores a pool at the edge of its range, with a reserve worth less than a twentieth of the other', () => {
    // At a price of 4 units, 12,500 units are worth a twentieth of a million.
    const edge = (units: bigint) => poolV3('0x1', 'token', units, 'usd', e(6), 2)
    expect(quoteOf([edge(12_499n)], 'token', 6)).toBeUndefined()
    expect(rejections([edge(12_499n)], 'token')).toEqual({ '0x1': 'ONE_SIDED' })
    expect(quoteOf([edge(12_500n)], 'token', 6)).toEqual({ price: 4, poolSize: 1 })
    // At the other edge the quote reserve is tiny, and so is the size.
    const full = poolV3('0x1', 'token', e(12), 'usd', 250n, 2)
    expect(quoteOf([full], 'token', 6)).toEqual({ price: 4, poolSize: 0.00025 })
  })

  it('prefers an honest pool to a tiny one with an absurd price', () => {
    const honest = poolV3('0x1', 'token', 2n * e(20), 'usd', 900n * e(6), 2 ** -19)
    const absurd = poolV3('0x2', 'token', e(6), 'usd', 899n * e(6), 2 ** 30)
    expect(legs([absurd, honest], 'token')).toEqual(['0x1'])
  })

  it('ignores a pool without a price', () => {
    expect(quoteOf([poolV3('0x1', 'token', e(6), 'usd', e(6), 0)], 'token', 6)).toBeUndefined()
  })
})

const names = ['usd', 'a', 'b', 'c', 'd', 'e']
// Either empty, or above the minimum of units.
const reserve = fc.bigInt({ min: 0n, max: 10_000n }).map((units) => units * 100n)
const edges = fc.array(
  fc.tuple(fc.nat(names.length - 1), fc.nat(names.length - 1), reserve, reserve),
  { maxLength: 12 },
)

it('finds the same routes as a search of all simple paths, where pools agree on prices', () => {
  // Value of a unit of each token, in cents. Both reserves of every pool have the same value.
  const values = fc.tuple(...names.slice(1).map(() => fc.bigInt({ min: 1n, max: 50n })))
  fc.assert(
    fc.property(edges, values, (drawn, others) => {
      // Of more pools, not all of those with tokens that a route passes are searched.
      const pairs = new Set<string>()
      const valueByToken = new Map(names.map((name, index) => [name, others[index - 1] ?? 100n]))
      const of = (name: string) => valueByToken.get(name) ?? 0n
      const pools = drawn
        .filter(([a, b]) => {
          const pair = [a, b].sort().join()
          const isFirst = !pairs.has(pair)
          pairs.add(pair)
          return a !== b && isFirst
        })
        .map(([a, b, size], index) => {
          const one = names[a] ?? ''
          const two = names[b] ?? ''
          const sides = of(one) * of(two) * size
          return pool(`0x${index}`, one, sides / of(one), two, sides / of(two))
        })
      const anchor = { price: { numerator: 1n, denominator: e(30) }, legs: [] }
      // Without quote tokens, of which the pools are preferred.
      const usd = new Map([['usd', { route: anchor, rejected: [] }]])
      const finder = new RouteFinder(byToken(pools), usd)
      for (const name of names.slice(1)) {
        const widest = widestPath(pools, name, (pool) => pool.reserve0 * of(pool.token0))
        const route = finder.find(name)?.route
        expect(route !== undefined).toBe(widest > 0n)
        if (!route) {
          continue
        }
        expectEqual(route.price, { numerator: of(name), denominator: 100n * e(30) })
        expectEqual(route.poolSize, { numerator: widest, denominator: 100n * e(30) })
      }
    }),
    { numRuns: 1000 },
  )
})

it('prices by the product of its legs, with the size of the thinnest one at least, where pools disagree', () => {
  // A V3 or V4 pool if there is a power of two, the square root of its price.
  const drawnPools = fc.array(
    fc.tuple(
      ...([fc.nat(names.length - 1), fc.nat(names.length - 1), reserve, reserve] as const),
      fc.option(fc.integer({ min: -8, max: 8 })),
      fc.constantFrom('uniswap-v3', 'uniswap-v4'),
    ),
    { maxLength: 12 },
  )
  const quoteTokens = fc.subarray(names.slice(1))
  let longest = 0
  fc.assert(
    fc.property(drawnPools, quoteTokens, (drawn, quotes) => {
      const pools = drawn
        .filter(([a, b]) => a !== b)
        .map(([a, b, one, two, power, kind], i) => {
          const sides = [names[a] ?? '', one, names[b] ?? '', two] as const
          return power === null
            ? pool(`0x${i}`, ...sides)
            : { ...poolV3(`0x${i}`, ...sides, 2 ** power), kind }
        })
      const stablecoins = new Map([['usd', 0]])
      const { routes } = findRoutes(names, byToken(pools), stablecoins, new Set(['usd', ...quotes]))
      for (const [token, { route }] of routes) {
        let price = 1
        let size = Infinity
        const passed = new Set<string>()
        for (const { address, tokens } of route?.legs.toReversed() ?? []) {
          const { token0, reserve0, reserve1, sqrtPrice } = pools.find(
            (each) => each.address === address,
          )!
          const is0 = tokens[0] === token0
          const ratio =
            sqrtPrice === undefined
              ? Number(reserve1) / Number(reserve0)
              : (Number(sqrtPrice) / 2 ** 96) ** 2
          size = Math.min(size, Number(is0 ? reserve1 : reserve0) * price)
          price *= is0 ? ratio : 1 / ratio
          passed.add(tokens[0]).add(tokens[1])
        }
        const length = route?.legs.length ?? 0
        longest = Math.max(longest, length)
        expect(length).toBeLessThanOrEqual(4)
        if (route && token !== 'usd') {
          expect(passed.size).toBe(length + 1)
          expect(passed).toContain('usd')
          expect(Math.abs(value(route.price) / price - 1)).toBeLessThan(1e-12)
          // That of a deeper pool which agrees with the weighted median.
          expect(value(route.poolSize) / size).toBeGreaterThan(1 - 1e-12)
        }
      }
    }),
    { numRuns: 1000 },
  )
  expect(longest).toBe(4)
})

/** A pool of a token, by what it held in the window. The price is in hundredths. */
interface HeldPool {
  readonly address: string
  readonly other: string
  readonly amount: bigint
  readonly price: number
  readonly isEmptied: boolean
}

function assessHeld({ address, other, amount, price, isEmptied }: HeldPool): AssessedPool {
  const held = pool(address, 'token', 100n * amount, other, BigInt(price) * amount)
  return assessPool({
    pool: isEmptied ? { ...held, reserve0: 0n, reserve1: 0n } : held,
    isSeasoned: true,
    createdBlock: 0,
    samples: [{ ...held, low0: held.reserve0, low1: held.reserve1, seconds: 3600 }],
  })
}

it('prices a token by pools with other tokens that agree while those with quote tokens are emptied', () => {
  const draw = (
    id: string,
    other: string,
    price: fc.Arbitrary<number>,
    amounts: [bigint, bigint],
  ) =>
    fc
      .array(
        fc.record({
          amount: fc.bigInt(...amounts).map((units) => units * e(6)),
          price,
          isEmptied: fc.boolean(),
        }),
        { maxLength: 4 },
      )
      .map((drawn) => drawn.map((each, index) => ({ ...each, other, address: `${id}${index}` })))
  const ofHub = [assess(pool('0x1', 'hub', e(20), 'usd', e(20)))]
  const counts = { priced: 0, withheld: 0 }
  fc.assert(
    fc.property(
      draw('0x2', 'usd', fc.constant(100), [1n, 20n]).filter(({ length }) => length > 0),
      // Less than a hundred times as much.
      draw('0x3', 'hub', fc.integer({ min: 97, max: 103 }), [1n, 90n]),
      (quotePools, others) => {
        const all = [...quotePools, ...others]
        const pools = new Map([
          ['token', all.map(assessHeld)],
          ['hub', ofHub],
        ])
        const { routes } = findRoutes(['token'], pools, new Map([['usd', 0]]), new Set(['usd']))
        const route = routes.get('token')?.route
        const expected = quotePools.some(({ isEmptied }) => !isEmptied)
          ? [100]
          : others
              .filter(({ isEmptied, price }) => !isEmptied && Math.abs(price - 100) <= 2)
              .map(({ price }) => price)
        counts[route ? 'priced' : 'withheld']++
        expect(route === undefined).toBe(expected.length === 0)
        expect([undefined, ...expected]).toContain(route && Math.round(100 * value(route.price)))
      },
    ),
    { numRuns: 500 },
  )
  expect(Math.min(counts.priced, counts.withheld)).toBeGreaterThan(10)
})

function widestPath(pools: Pool[], token: string, sizeOf: (pool: Pool) => bigint): bigint {
  const walk = (at: string, seen: string[], width: bigint | undefined): bigint => {
    if (at === 'usd') {
      return width ?? 0n
    }
    if (seen.length > 4) {
      return 0n
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
