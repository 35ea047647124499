import { expect, test } from 'vitest'
import { createFormats } from '../formats/createFormats.ts'
import { describePricing } from './describePricing.ts'

const formats = createFormats('en-US')
const [token, wrapped, usd] = ['aa', 'bb', 'cc'].map((digits) => `0x${digits.repeat(20)}`) as [
  string,
  string,
  string,
]
const pool = { type: 'curve-stable', address: `0x${'11'.repeat(20)}` }

test('describes the route of a price, and the pools that do not price the token', () => {
  const pricing = describePricing(
    {
      chain_id: 1,
      symbol: 'DEEP',
      token_metadata: {
        pools: [
          {
            ...pool,
            tokens: [token, wrapped],
            created_at: '2024-05-01T12:00:00Z',
            depth_usd: 1_500_000,
            past_depth_usd: 1_400_000,
            is_bounded: true,
          },
          { ...pool, type: 'new-exchange', tokens: [wrapped, usd] },
        ],
        rejected_pools: [
          { ...pool, tokens: [token, usd], reason: 'YOUNG' },
          { ...pool, tokens: [token, usd], reason: 'HAUNTED' },
        ],
      },
    },
    formats,
  )
  expect(pricing?.summary).toBe('2 pools to USD')
  expect(pricing?.route).toMatchObject([
    {
      venue: 'Curve StableSwap',
      pair: 'DEEP / 0xbbbb…bbbb',
      age: 'since May 1, 2024',
      detail:
        '$1.5M now, $1.4M over the hour. Its price left that of the hour, and counts up to 1 % from it.',
    },
    {
      venue: 'new-exchange',
      pair: '0xbbbb…bbbb / 0xcccc…cccc',
      age: '',
      detail: '— now, — over the hour.',
    },
  ])
  expect(pricing?.rejected.map(({ pair, detail }) => [pair, detail])).toEqual([
    ['DEEP / 0xcccc…cccc', 'Younger than the window.'],
    ['DEEP / 0xcccc…cccc', 'HAUNTED'],
  ])
  expect(new Set(pricing?.rejected.map(({ key }) => key)).size).toBe(2)
})

test('describes stablecoins, tokens without a price, and nothing without metadata', () => {
  const describe = (pools?: [], price?: number) =>
    describePricing(
      {
        chain_id: 1,
        token_metadata: { ...(pools && { pools }) },
        ...(price !== undefined && { price_usd: price }),
      },
      formats,
    )
  expect(describe([], 0.87)?.summary).toBe('Priced by a feed.')
  expect(describe([], 1)).toEqual({ summary: 'Counts as 1 USD.', route: [], rejected: [] })
  expect(describe()?.summary).toBe('No pool leads to USD.')
  expect(describePricing({ chain_id: 1 }, formats)).toBeUndefined()
  expect(describePricing(undefined, formats)).toBeUndefined()
})
