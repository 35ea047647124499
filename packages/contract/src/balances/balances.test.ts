import { describe, expect, it } from 'vitest'
import {
  balances,
  isBalance,
  isBalancesParameters,
  isBalancesResponse,
  wireName,
} from '../index.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

describe('parameters of balances', () => {
  it.each([
    {},
    { chainIds: [1, 'default'] },
    { filters: 'erc20' },
    { metadata: ['logo', 'url'] },
    { excludeSpamTokens: true },
    { historicalPrices: [24, 1, 168] },
    { limit: 5000 },
    { offset: 'made up' },
  ])('accept %j', (parameters) => {
    expect(isBalancesParameters({ address, ...parameters })).toBe(true)
  })

  it.each([
    ['/address', { address: '0x1234' }],
    ['/address', { address: 'native' }],
    ['/chainIds', { chainIds: [] }],
    ['/chainIds/0', { chainIds: [0] }],
    ['/chainIds/1', { chainIds: [1, '1; drop'] }],
    ['/filters', { filters: 'erc721' }],
    ['/metadata/0', { metadata: ['image'] }],
    ['/excludeSpamTokens', { excludeSpamTokens: 'yes' }],
    ['/historicalPrices', { historicalPrices: [1, 2, 3, 4] }],
    ['/historicalPrices/0', { historicalPrices: [0] }],
    ['/historicalPrices/0', { historicalPrices: [1.5] }],
    ['/limit', { limit: 0 }],
    ['/limit', { limit: 'ten' }],
  ])('reject at %s: %j', (where, parameters) => {
    expect(isBalancesParameters({ address, ...parameters })).toBe(false)
    expect(isBalancesParameters.error?.instancePath).toBe(where)
  })

  it('reject a missing address and an unknown parameter', () => {
    expect(isBalancesParameters({})).toBe(false)
    expect(isBalancesParameters({ address, chainId: 1 })).toBe(false)
    expect(isBalancesParameters.error?.instancePath).toBe('/chainId')
  })
})

describe('response of balances', () => {
  const item = {
    chain_id: 1,
    address: 'native',
    amount: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
  }

  it('accepts an item with only its identity and amount, and undeclared fields', () => {
    expect(isBalance(item)).toBe(true)
    expect(isBalance({ ...item, risk_score: 3 })).toBe(true)
  })

  it.each([
    { amount: '1.5' },
    { amount: 15 },
    { amount: '-1' },
    { chain_id: '1' },
    { price_usd: '1' },
    { decimals: -1 },
    { decimals: 256 },
    { decimals: 1.5 },
  ])('rejects an item with %j', (fields) => expect(isBalance({ ...item, ...fields })).toBe(false))

  it('is validated without its items, warnings and errors', () => {
    expect(isBalancesResponse({ wallet_address: address, balances: [{ nonsense: true }] })).toBe(
      true,
    )
    expect(
      isBalancesResponse({ wallet_address: address, balances: [], errors: 'x', next_offset: null }),
    ).toBe(true)
    expect(isBalancesResponse({ wallet_address: address, balances: {} })).toBe(false)
    expect(isBalancesResponse({ balances: [] })).toBe(false)
  })
})

describe('the operation balances', () => {
  it('costs one unit per chain', () => {
    const countChains = (chainIds: readonly unknown[] | undefined) => chainIds?.length ?? 2
    expect(balances.cost({ address, chainIds: [1, 10, 137] }, countChains)).toBe(3)
    expect(balances.cost({ address }, countChains)).toBe(2)
  })

  it('identifies items by chain and address', () => {
    const getId = (chain_id: number, token: string) =>
      balances.getItemId({ chain_id, address: token, amount: '0' })
    expect(new Set([getId(1, 'native'), getId(10, 'native'), getId(1, address)]).size).toBe(3)
  })

  it('uses the parameter names of the specification on the wire', () => {
    expect(balances.queryParameters.map(wireName)).toEqual([
      'chain_ids',
      'filters',
      'metadata',
      'exclude_spam_tokens',
      'historical_prices',
      'offset',
      'limit',
    ])
  })
})
