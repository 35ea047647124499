import { describe, expect, it } from 'vitest'
import {
  isHolder,
  isTokenHoldersParameters,
  isTokenHoldersResponse,
  tokenHolders,
} from '../index.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

describe('parameters of tokenHolders', () => {
  it.each([{}, { limit: 5000 }, { offset: 'made up' }])('accept %j', (parameters) => {
    expect(isTokenHoldersParameters({ chainId: 1, address, ...parameters })).toBe(true)
  })

  it.each([
    ['/address', { address: 'native' }],
    ['/chainId', { chainId: 0 }],
    ['/chainId', { chainId: 'default' }],
    ['/limit', { limit: 0 }],
  ])('reject at %s: %j', (where, parameters) => {
    expect(isTokenHoldersParameters({ chainId: 1, address, ...parameters })).toBe(false)
    expect(isTokenHoldersParameters.error?.instancePath).toBe(where)
  })
})

describe('response of tokenHolders', () => {
  it('accepts a last page, whose cursor is null', () => {
    const page = { token_address: address, chain_id: 1, holders: [], next_offset: null }
    expect(isTokenHoldersResponse(page)).toBe(true)
    expect(isTokenHoldersResponse({ ...page, holders: undefined })).toBe(false)
  })

  it('rejects a holder whose balance is not an integer', () => {
    expect(isHolder({ wallet_address: address, balance: '7' })).toBe(true)
    expect(isHolder({ wallet_address: address, balance: 7 })).toBe(false)
  })
})

describe('the operation tokenHolders', () => {
  it('costs two units a page of at most 500', () => {
    expect(tokenHolders.cost()).toBe(2)
    expect(tokenHolders.pagination.limit).toEqual({ default: 500, maximum: 500 })
  })

  it('identifies holders by address', () => {
    expect(tokenHolders.getItemId({ wallet_address: address, balance: '1' })).toBe(address)
  })
})
