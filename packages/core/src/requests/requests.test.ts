import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { balances as operation, type BalancesParameters } from '@headwater/contract'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { formatAmount } from '../amounts/formatAmount.ts'
import { HttpError } from '../errors/HttpError.ts'
import { NetworkError } from '../errors/NetworkError.ts'
import { getRetryDelay, shareResponse, shouldRetry } from '../queries/queryOptions.ts'
import { normalizeParameters, validateParameters } from './parameters.ts'
import { parseResponse } from './parseResponse.ts'
import { buildUrl } from './request.ts'

describe('buildUrl', () => {
  it('encodes path and query with the parameter names of the API', () => {
    const request = buildUrl<BalancesParameters>(operation, {
      address,
      chainIds: [1, 'default'],
      excludeSpamTokens: true,
      historicalPrices: [24, 1],
      offset: 'a=b&c d',
      limit: 10,
    })
    expect(request).toBe(
      `/v1/evm/balances/${address}?chain_ids=1,default&exclude_spam_tokens=true` +
        '&historical_prices=24,1&offset=a%3Db%26c%20d&limit=10',
    )
  })

  it('omits the question mark without a query', () => {
    expect(buildUrl<BalancesParameters>(operation, { address })).toBe(`/v1/evm/balances/${address}`)
  })
})

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
        historicalPrices: [24, 1, 24, 168],
        limit: undefined,
      }),
    ).toStrictEqual({ address, chainIds: [1, 8453, 'default'], historicalPrices: [1, 24, 168] })
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

describe('parseResponse', () => {
  const read = (body: unknown) => parseResponse(operation, 'url', body)

  it('keeps unknown fields', () => {
    const response = { ...balancesResponse({ ...balance(), risk: 1 } as never), new_field: {} }
    expect(read(response)).toEqual(response)
  })

  it('removes invalid items with a warning after those of the service', () => {
    const warning = { code: 'UNSUPPORTED_CHAIN_IDS', message: 'No 5.', chain_ids: [5] }
    const body = { ...balancesResponse(balance(), { amount: 1 } as never), warnings: [warning] }
    expect(read(body)).toEqual({
      ...balancesResponse(balance()),
      warnings: [
        warning,
        {
          code: 'MALFORMED_ITEMS',
          message: '1 of 2 entries of balances are invalid and were removed.',
        },
      ],
    })
  })

  it('keeps valid warnings and errors of the service', () => {
    const notes = {
      warnings: [{ code: 'UNSUPPORTED_CHAIN_IDS', message: 'No 5.', chain_ids: [5] }],
      errors: { token_errors: [{ chain_id: 1, address, description: 'No.' }], more: 1 },
    }
    expect(read({ ...balancesResponse(), ...notes })).toStrictEqual({
      ...balancesResponse(),
      ...notes,
    })
  })

  it.each([
    ['Slow.', [{ code: 'WARNING', message: 'Slow.' }]],
    [{ message: 'Slow.' }, [{ code: 'WARNING', message: 'Slow.' }]],
    [
      ['Slow.', { 5: 1 }],
      [{ message: 'Slow.' }, { message: '{"5":1}' }],
    ],
    [[], undefined],
  ])('normalizes warnings of another shape: %j', (warnings, expected) => {
    const response = read({ ...balancesResponse(), warnings })
    if (expected === undefined) {
      expect(response).not.toHaveProperty('warnings')
    } else {
      expect(response.warnings).toMatchObject(expected)
    }
  })

  it.each([
    ['Half.', { error_message: 'Half.' }],
    [['Half.'], { error_message: '["Half."]' }],
    [{ 1: 'down' }, { 1: 'down' }],
    [{ token_errors: 'all' }, { error_message: '{"token_errors":"all"}' }],
    ['', undefined],
    [[], undefined],
    [{}, undefined],
    [{ token_errors: [] }, undefined],
    [{ error_message: '', token_errors: null }, undefined],
  ])('normalizes errors of another shape: %j', (errors, expected) => {
    expect(read({ ...balancesResponse(), errors }).errors).toEqual(expected)
  })

  it('treats null as absent', () => {
    expect(read({ ...balancesResponse(), next_offset: null })).toEqual(balancesResponse())
    const item = { ...balance(), symbol: null, price_usd: null, token_metadata: { logo: null } }
    expect(read(balancesResponse(item as never))).toStrictEqual(
      balancesResponse({ ...balance(), token_metadata: {} }),
    )
  })

  it.each([
    [5, '5'],
    ['', undefined],
    [0, undefined],
    [false, undefined],
  ])('parses the cursor %j as %j', (next_offset, cursor) => {
    expect(read({ ...balancesResponse(), next_offset }).next_offset).toBe(cursor)
  })

  it('keeps the identity of valid items', () => {
    const historical_prices = [{ offset_hours: 24, price_usd: null }]
    const body = balancesResponse(balance({ historical_prices }), { ...balance(), chain_id: 2 })
    expect(read(body).balances[0]).toBe(body.balances[0])
    expect(read(body)).toStrictEqual(body)
  })

  it('removes invalid optional fields with a warning', () => {
    const odd = { decimals: 256, price_usd: '1', historical_prices: [{ offset_hours: 24 }] }
    const body = balancesResponse({ ...balance(), ...odd, symbol: 'ODD' } as never)
    const rest = balance({ symbol: 'ODD' })
    delete rest.decimals
    expect(read(body)).toStrictEqual({
      ...balancesResponse(rest),
      warnings: [
        {
          code: 'MALFORMED_FIELDS',
          message:
            'The fields decimals, price_usd, historical_prices of some entries of balances ' +
            'are invalid and were removed.',
        },
      ],
    })
    expect(body.balances[0]).toHaveProperty('price_usd')
  })

  it.each([{ amount: null }, { amount: '1.5' }, { chain_id: '1' }, { address: undefined }])(
    'removes an item without a valid required field: %j',
    (fields) => {
      const response = read(
        balancesResponse(balance(), { ...balance({ chain_id: 2 }), ...fields } as never),
      )
      expect(response.balances).toEqual([balance()])
      expect(response.warnings).toMatchObject([{ code: 'MALFORMED_ITEMS' }])
    },
  )

  it('keeps the first of items with equal identity', () => {
    const again = [balance({ amount: '2' }), balance({ chain_id: 2 })]
    expect(read(balancesResponse(balance(), ...again))).toStrictEqual(
      balancesResponse(balance(), balance({ chain_id: 2 })),
    )
  })

  it('returns only amounts and decimals that can be formatted', () => {
    const odd = fc.oneof(fc.nat(300), fc.integer(), fc.double(), fc.string(), fc.constant(null))
    fc.assert(
      fc.property(fc.nat().map(String), odd, (amount, decimals) => {
        for (const item of read(balancesResponse({ ...balance(), amount, decimals } as never))
          .balances) {
          expect(formatAmount(item.amount, item.decimals ?? 0)).toMatch(/^[0-9.]+$/)
        }
      }),
    )
  })

  it.each([null, [], 'text', {}, { wallet_address: address, balances: {} }])(
    'rejects %o as a response',
    (body) =>
      expect(() => read(body)).toThrow(expect.objectContaining({ name: 'InvalidResponseError' })),
  )
})

describe('shareResponse', () => {
  const times = (time: string) => ({ request_time: time, response_time: time })

  it('returns the previous response when only timestamps changed', () => {
    const before = { ...balancesResponse(balance()), ...times('1') }
    expect(shareResponse(before, { ...balancesResponse(balance()), ...times('2') })).toBe(before)
  })

  it('keeps the identity of unchanged items', () => {
    const before = { ...balancesResponse(balance(), balance({ address })), ...times('1') }
    const next = {
      ...balancesResponse(balance(), balance({ address, amount: '2' })),
      ...times('2'),
    }
    const shared = shareResponse(before, next) as typeof next
    expect(shared).toEqual(next)
    expect(shared.balances[0]).toBe(before.balances[0])
  })

  it('always equals the new response', () => {
    const response = fc.record({
      balances: fc.array(fc.record({ amount: fc.nat(3) })),
      limit: fc.nat(2),
    })
    fc.assert(
      fc.property(response, response, (before, next) => {
        expect(shareResponse(before, next)).toEqual(next)
      }),
    )
  })
})

describe('shouldRetry and getRetryDelay', () => {
  const rejection = (status: number, retryAfter?: number) =>
    new HttpError('No', { url: 'url', status, retryAfter })

  it('allow three retries of a transient error', () => {
    const error = new NetworkError('url', new Error('down'))
    expect([0, 1, 2, 3].map((count) => shouldRetry(count, error))).toEqual([
      true,
      true,
      true,
      false,
    ])
  })

  it.each([400, 401, 402, 403, 404])('never retry status %i', (status) => {
    expect(shouldRetry(0, rejection(status))).toBe(false)
  })

  it('never retry an unknown error', () => {
    expect(shouldRetry(0, new Error('bug'))).toBe(false)
  })

  it('retry after a short Retry-After, but not after a long one', () => {
    expect(shouldRetry(0, rejection(429, 5000))).toBe(true)
    expect(shouldRetry(0, rejection(429, 5001))).toBe(false)
  })

  it('grow the delay exponentially, and never below Retry-After', () => {
    for (const count of [0, 1, 2]) {
      const delay = getRetryDelay(count, rejection(500))
      expect(delay).toBeGreaterThanOrEqual(500 * 2 ** count)
      expect(delay).toBeLessThanOrEqual(1000 * 2 ** count)
      expect(getRetryDelay(count, rejection(429, 7000))).toBeGreaterThanOrEqual(7000)
    }
  })
})
