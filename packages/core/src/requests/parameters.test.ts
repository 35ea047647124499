import { describe, expect, it } from 'vitest'
import { balances as operation } from '@headwater/contract'
import { address } from '../../test/balances.ts'
import { normalizeParameters, validateParameters } from './parameters.ts'

describe('validateParameters', () => {
  it.each([
    ['address', { address: '0x12' }],
    ['address', { address: undefined }],
    ['chainIds', { chainIds: [] }],
    ['chainIds', { chainIds: ['one two'] }],
    ['historicalPrices', { historicalPrices: [1, 2, 3, 4] }],
    ['historicalPrices', { historicalPrices: [0] }],
    ['limit', { limit: 0 }],
    ['limit', { limit: 'ten' }],
    ['limit', { limit: 5n }],
    ['chainID', { chainID: 1 }],
  ])('reports %s in %o', (parameter, wrong) => {
    expect(validateParameters(operation, { address, ...wrong })).toMatchObject({
      name: 'InvalidParameterError',
      parameter,
      isRetryable: false,
    })
  })

  it.each([undefined, null, 'text', []])('rejects %o as parameters', (wrong) => {
    expect(validateParameters(operation, wrong)).toBeDefined()
  })

  it('reports the violated rule', () => {
    const message = (wrong: object) =>
      validateParameters(operation, { address, ...wrong })?.shortMessage
    expect(message({ limit: 0 })).toBe('The parameter `limit` must be >= 1.')
    expect(message({ address: 'vitalik.eth' })).toBe(
      'The parameter `address` must be `0x` and 40 hex digits.',
    )
    expect(message({ chainIds: ['OP Mainnet'] })).toBe(
      'The parameter `chainIds` must be a number or a tag.',
    )
    expect(message({ chainID: 1 })).toBe('The parameter `chainID` is unknown.')
    expect(message({ address: undefined })).toBe('The parameter `address` is required.')
  })

  it('accepts valid parameters', () => {
    expect(validateParameters(operation, { address, limit: undefined })).toBeUndefined()
  })
})

describe('normalizeParameters', () => {
  it('normalizes equivalent parameters to equal ones', () => {
    expect(
      normalizeParameters({
        address: address.toUpperCase().replace('0X', '0x'),
        chainIds: ['default', 8453, 1, 8453],
        excludeSpamTokens: false,
        limit: undefined,
      }),
    ).toStrictEqual({ address, chainIds: [1, 8453, 'default'] })
  })

  it('leaves historical prices in their order, which is that of the response', () => {
    const parameters = { address, historicalPrices: [24, 1, 24] }
    expect(normalizeParameters(parameters)).toStrictEqual(parameters)
  })

  it('copies arrays, so that later mutations of the input have no effect', () => {
    const lists = { chainIds: [1], historicalPrices: [24], metadata: ['logo' as const] }
    const normalized = normalizeParameters({ address, ...lists })
    for (const list of Object.values(lists)) {
      list.length = 0
    }
    expect(normalized).toStrictEqual({
      address,
      chainIds: [1],
      historicalPrices: [24],
      metadata: ['logo'],
    })
  })
})
