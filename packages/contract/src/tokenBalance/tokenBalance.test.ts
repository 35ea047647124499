import { describe, expect, it } from 'vitest'
import { isTokenBalanceParameters, tokenBalance, wireName } from '../index.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const valid = { address, tokenAddress: address, chainIds: [1] }

describe('parameters of tokenBalance', () => {
  it.each([
    {},
    { tokenAddress: 'native' },
    { metadata: ['logo', 'url', 'pools', 'audit'] },
    { historicalPrices: [24, 1, 168] },
  ])('accept %j', (parameters) => {
    expect(isTokenBalanceParameters({ ...valid, ...parameters })).toBe(true)
  })

  it.each([
    ['/address', { address: 'native' }],
    ['/tokenAddress', { tokenAddress: 'ether' }],
    ['/chainIds', { chainIds: [1, 10] }],
    ['/chainIds/0', { chainIds: ['default'] }],
    ['/metadata/0', { metadata: ['image'] }],
    ['/historicalPrices/0', { historicalPrices: [0] }],
    ['/limit', { limit: 5 }],
  ])('reject at %s: %j', (where, parameters) => {
    expect(isTokenBalanceParameters({ ...valid, ...parameters })).toBe(false)
    expect(isTokenBalanceParameters.error?.instancePath).toBe(where)
  })
})

describe('the operation tokenBalance', () => {
  it('costs one unit', () => expect(tokenBalance.cost()).toBe(1))

  it('accepts the query parameters of `balances` that apply to one token', () => {
    expect(tokenBalance.queryParameters.map(wireName)).toEqual([
      'chain_ids',
      'metadata',
      'historical_prices',
    ])
  })
})
