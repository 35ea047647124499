import { expect, test } from 'vitest'

import { amountText, usdText } from './format.ts'

const token = { chain_id: 1, address: 'native', amount: '1234567890' }

test('writes every digit of an amount', () => {
  expect(amountText({ ...token, decimals: 6 })).toBe('1,234.56789')
  expect(amountText(token)).toBe('1,234,567,890 smallest units')
})

test.each([
  { amount: '12.5', decimals: 6 },
  { amount: 'plenty', decimals: undefined },
  { amount: '7', decimals: -1 },
  { amount: '7', decimals: 1.5 },
])('shows an amount that cannot be written ($amount, $decimals) as it is', (strange) => {
  expect(amountText({ ...token, ...strange } as typeof token)).toBe(strange.amount)
})

test('writes a small price with four digits and none as a dash', () => {
  expect(usdText(0.000000010994321)).toBe('$0.00000001099')
  expect(usdText(1234.5)).toBe('$1,234.50')
  expect(usdText(undefined)).toBe('—')
})
