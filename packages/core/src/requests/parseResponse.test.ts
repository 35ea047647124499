import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { balances as operation } from '@headwater/contract'
import { address, balance, balancesResponse } from '../../test/balances.ts'
import { formatAmount } from '../amounts/formatAmount.ts'
import { parseResponse } from './parseResponse.ts'

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
