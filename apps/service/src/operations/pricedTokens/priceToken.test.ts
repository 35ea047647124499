import { describe, expect, it } from 'vitest'
import { testAddress } from '../../../test/seedChain.ts'
import { testChainConfig, testTokens } from '../../../test/testChainConfig.ts'
import { nativeToken } from './ChainToken.ts'
import { priceToken, valueHolding } from './priceToken.ts'

const chain = testChainConfig(7)
const token = { chain, address: testAddress(1), name: 'A', symbol: 'A', decimals: 18 }

/** Prices of one token: USD for a smallest unit, as a fraction. */
function pricesOf(address: string, numerator: bigint, denominator: bigint, poolSize?: bigint) {
  const size = poolSize === undefined ? {} : { poolSize: { numerator: poolSize, denominator: 1n } }
  return new Map([[address, { price: { numerator, denominator }, legs: [], ...size }]])
}

describe('the price of a token', () => {
  it.each([
    [0, 7n, 2n, 3.5],
    [77, 1n, 10n ** 77n, 1],
    [255, 3n, 10n ** 255n, 3],
  ])('is that of a whole token, with %i decimals', (decimals, numerator, denominator, usd) => {
    const { price } = priceToken(
      { ...token, decimals },
      pricesOf(token.address, numerator, denominator, 12_345n),
    )
    expect(price).toMatchObject({ usd, poolSize: 12_345 })
  })

  it('is absent without decimals, without a route, and if a double cannot represent it', () => {
    const prices = pricesOf(token.address, 10n ** 300n, 1n)
    expect(priceToken({ ...token, decimals: undefined }, prices)).not.toHaveProperty('price')
    expect(priceToken(token, new Map())).not.toHaveProperty('price')
    expect(priceToken(token, prices)).not.toHaveProperty('price')
  })

  it('is that of the wrapped token for a native asset', () => {
    const prices = pricesOf(testTokens.weth, 2000n, 10n ** 18n)
    expect(priceToken(nativeToken(chain), prices).price?.usd).toBe(2000)
    const { wrappedNative, ...unwrapped } = chain
    expect(wrappedNative).toBe(testTokens.weth)
    expect(priceToken(nativeToken(unwrapped), prices)).not.toHaveProperty('price')
  })
})

describe('the value of a balance', () => {
  it('is computed exactly and rounded once', () => {
    // A third of a dollar each: multiplying the rounded price would be inexact.
    const priced = priceToken(token, pricesOf(token.address, 1n, 3n * 10n ** 18n))
    const amount = 3n * 10n ** 18n * 123_456_789_012_345n
    expect(valueHolding(priced, amount).value).toBe(123_456_789_012_345)
  })

  it('is absent, and the price too, if a double cannot represent it', () => {
    const priced = priceToken(token, pricesOf(token.address, 10n ** 280n, 1n))
    expect(valueHolding(priced, 1n)).toMatchObject({ price: { usd: 1e298 }, value: 1e280 })
    expect(valueHolding(priced, 2n ** 256n - 1n)).toEqual({ token, amount: 2n ** 256n - 1n })
  })

  it('is zero for a zero balance', () => {
    const priced = priceToken(token, pricesOf(token.address, 1n, 3n))
    expect(valueHolding(priced, 0n).value).toBe(0)
  })
})
