import { describe, expect, it } from 'vitest'
import {
  collectibles,
  isCollectible,
  isCollectiblesParameters,
  isCollectiblesResponse,
} from '../index.ts'

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

describe('parameters of collectibles', () => {
  it.each([{}, { chainIds: [1, 'default'] }, { limit: 5000 }, { offset: 'made up' }])(
    'accept %j',
    (parameters) => {
      expect(isCollectiblesParameters({ address, ...parameters })).toBe(true)
    },
  )

  it.each([
    ['/address', { address: 'native' }],
    ['/chainIds', { chainIds: [] }],
    ['/limit', { limit: 0 }],
  ])('reject at %s: %j', (where, parameters) => {
    expect(isCollectiblesParameters({ address, ...parameters })).toBe(false)
    expect(isCollectiblesParameters.error?.instancePath).toBe(where)
  })
})

describe('response of collectibles', () => {
  const item = { contract_address: address, token_id: '1', chain_id: 1 }

  it('accepts an item with only its identity, and one with all fields', () => {
    expect(isCollectible(item)).toBe(true)
    expect(
      isCollectible({
        ...item,
        token_standard: 'ERC721',
        balance: '1',
        last_acquired: '2024-05-01T12:00:00Z',
        last_sale_price: '0.08',
        metadata: { uri: 'ipfs://x', attributes: [{ key: 'Colour', value: 'Blue' }] },
      }),
    ).toBe(true)
  })

  it.each([
    { token_id: 1 },
    { balance: '-1' },
    { metadata: { attributes: [{ key: 'Colour' }] } },
    { name: 7 },
  ])('rejects an item with %j', (fields) =>
    expect(isCollectible({ ...item, ...fields })).toBe(false),
  )

  it('is validated without its items', () => {
    expect(isCollectiblesResponse({ address, entries: [{}] })).toBe(true)
    expect(isCollectiblesResponse({ address })).toBe(false)
  })
})

describe('the operation collectibles', () => {
  it('costs one unit per chain', () => {
    expect(collectibles.cost({ address, chainIds: [1, 10] }, (ids) => ids?.length ?? 3)).toBe(2)
    expect(collectibles.cost({ address }, (ids) => ids?.length ?? 3)).toBe(3)
  })

  it('identifies items by chain, contract and token', () => {
    const identities = [1, 10].flatMap((chain_id) =>
      ['1', '2'].map((token_id) =>
        collectibles.getItemId({ chain_id, contract_address: address, token_id }),
      ),
    )
    expect(new Set(identities).size).toBe(4)
    expect(collectibles.pagination.limit).toEqual({ default: 250, maximum: 2500 })
  })
})
