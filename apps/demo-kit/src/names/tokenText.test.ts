import { expect, test } from 'vitest'
import { contractText, shownText, symbolText } from './tokenText.ts'

const address = '0x1234567890abcdef1234567890abcdef12345678'
const token = { chain_id: 1, address, amount: '1' }

test.each([
  '',
  '   ',
  '\u200b\u200d',
  '\u00a0\u2003',
  '\u202e\u202c',
  '\u3164',
  '\u2800',
  '\u0000\n',
  '\u{e0041}',
])('uses the address for the blank symbol %j', (symbol) => {
  expect(symbolText({ ...token, symbol })).toBe(address)
  expect(shownText(symbol)).toBe('')
})

test('returns visible texts unchanged', () => {
  expect(symbolText({ ...token, symbol: 'USDC' })).toBe('USDC')
  expect(symbolText({ ...token, symbol: '💧' })).toBe('💧')
  expect(shownText('USD Coin')).toBe('USD Coin')
  expect(symbolText(token)).toBe(address)
  expect(shownText(undefined)).toBe('')
})

test('abbreviates an address', () => {
  expect(contractText(address)).toBe('0x1234…5678')
})
