import { expect, test } from 'vitest'
import type { Portfolio } from '@headwater/core'
import { formatsOf } from '../formats/formatsOf.ts'
import { trustText } from './trustText.ts'

const portfolio: Portfolio = {
  value_usd: 5,
  changes: [],
  tokens: 7,
  pricedShare: 5 / 7,
  lowLiquidity: { value_usd: 12.5, tokens: 2 },
  chains: [],
  wallets: [],
  holdings: [],
  complete: true,
  warnings: [],
  errors: undefined,
}

test('states how much of a total is known', () => {
  expect(trustText(portfolio, formatsOf('en-US'))).toBe(
    'Complete · 5 of 7 tokens priced (71.43%) · $12.50 in 2 with low liquidity excluded',
  )
})

test('does not call an incomplete portfolio complete', () => {
  const nothing = {
    ...portfolio,
    complete: false,
    tokens: 0,
    lowLiquidity: { value_usd: 0, tokens: 0 },
  }
  expect(trustText(nothing, formatsOf('en-US'))).toBe('May not be complete')
})

test('calls a total a lower bound while a chain is searched', () => {
  const warnings = [{ code: 'PARTIAL_HISTORY', message: '', chain_id: 1, share: 0.4 }]
  const searched = { ...portfolio, complete: false, warnings }
  expect(trustText(searched, formatsOf('en-US'))).toMatch(
    /^A lower bound: 40% of the history is known · /,
  )
})
