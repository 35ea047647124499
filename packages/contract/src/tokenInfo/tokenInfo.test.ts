import { describe, expect, it } from 'vitest'
import { isToken, isTokenInfoParameters, isTokenInfoResponse, tokenInfo } from '../index.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
const chainIds = [1]

describe('parameters of tokenInfo', () => {
  it.each([
    { address },
    { address: 'native' },
    { address, historicalPrices: [1, 24] },
    { address, limit: 0 },
    { address, offset: 'x' },
    { address, metadata: ['pools', 'audit', 'spam'] },
  ])('accept %j', (parameters) => {
    expect(isTokenInfoParameters({ chainIds, ...parameters })).toBe(true)
  })

  it.each([
    ['/address', { address: 'ether' }],
    ['/chainIds', { chainIds: [] }],
    ['/chainIds', { chainIds: [1, 10] }],
    ['/chainIds/0', { chainIds: ['default'] }],
    ['/historicalPrices', { historicalPrices: [1, 2, 3, 4] }],
    ['/limit', { limit: -1 }],
    ['/metadata/0', { metadata: ['image'] }],
  ])('reject at %s: %j', (where, parameters) => {
    expect(isTokenInfoParameters({ address, chainIds, ...parameters })).toBe(false)
    expect(isTokenInfoParameters.error?.instancePath).toBe(where)
  })

  it('need exactly one chain', () => {
    expect(isTokenInfoParameters({ address })).toBe(false)
    expect(isTokenInfoParameters.error?.instancePath).toBe('/chainIds')
  })
})

describe('response of tokenInfo', () => {
  it('accepts a native asset, which has no supply, and rejects a supply that is not an integer', () => {
    expect(isTokenInfoResponse({ contract_address: 'native', tokens: [{ chain_id: 1 }] })).toBe(
      true,
    )
    expect(isToken({ chain_id: 1, symbol: 'ETH', decimals: 18 })).toBe(true)
    expect(isToken({ chain_id: 1, total_supply: '12.5' })).toBe(false)
    expect(isToken({ symbol: 'ETH' })).toBe(false)
  })
})

it('tokenInfo costs two units', () => {
  expect(tokenInfo.cost()).toBe(2)
})
