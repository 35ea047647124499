import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig } from '../../../test/testChainConfig.ts'
import { type BalanceEntry, compareKeys, isSpam, takePage } from './BalanceEntry.ts'

const texts = { name: undefined, symbol: undefined, decimals: undefined }

describe('takePage', () => {
  // Few values, so that many entries have equal ones.
  const entries = fc
    .tuple(
      fc.option(fc.constantFrom(0, 1, 2.5, 1e30)),
      fc.constantFrom(1, 2),
      fc.integer({ min: 1, max: 9 }).map(testAddress),
    )
    .map(([value, chainId, address]): BalanceEntry => {
      const token = { chain: testChainConfig(chainId), address, ...texts }
      return { holding: { token, amount: 1n }, key: [value, chainId, address] }
    })

  it('returns the listed entries after any key', () => {
    const listing = fc.record({
      entries: fc.array(entries, { maxLength: 30 }),
      after: fc.option(entries, { nil: undefined }),
      limit: fc.integer({ min: 1, max: 10 }),
      unlisted: fc.integer({ min: 1, max: 9 }).map(testAddress),
    })
    fc.assert(
      fc.property(listing, ({ entries, after, limit, unlisted }) => {
        const sorted = [...entries].sort((a, b) => compareKeys(a.key, b.key))
        const isListed = ({ key: [, , address] }: BalanceEntry) => address !== unlisted
        const expected = sorted
          .filter((entry) => isListed(entry))
          .filter(({ key }) => !after || compareKeys(key, after.key) > 0)
          .slice(0, limit)
        expect(takePage(sorted, isListed, after?.key, limit)).toEqual(expected)
      }),
    )
  })
})

describe('isSpam', () => {
  const token = { chain: testChainConfig(7), address: testAddress(1), ...texts, decimals: 18 }
  const route = { price: { numerator: 1n, denominator: 1n }, legs: [] }

  it.each([
    ['less than 100 USD of liquidity', { token, price: { usd: 1, poolSize: 99.99, route } }, true],
    ['exactly 100 USD of liquidity', { token, price: { usd: 1, poolSize: 100, route } }, false],
    ['no price', { token }, true],
    ['a stablecoin without a pool', { token, price: { usd: 1, route } }, true],
    ['an unpriced native asset', { token: { ...token, address: 'native' } }, false],
  ])('of a token with %s', (_, priced, expected) => {
    expect(isSpam(priced)).toBe(expected)
  })
})
