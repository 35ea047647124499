import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Balance } from '@headwater/core'
import { arrangeBalances, type Arrangement, sortBy } from './arrangeBalances.ts'

const all: Arrangement = {
  search: '',
  column: 'value',
  isDescending: true,
  hidesSmall: false,
  hidesSpam: false,
}
const token = (symbol: string, fields: Partial<Balance> = {}): Balance => ({
  chain_id: 1,
  address: `0x${symbol}`,
  amount: '1',
  symbol,
  ...fields,
})
const symbols = (balances: readonly Balance[]) => balances.map(({ symbol }) => symbol).join(' ')

const ether = token('ETH', { address: 'native', value_usd: 20, price_usd: 2000, chain: 'mainnet' })
const dollar = token('USDX', { value_usd: 0.5, price_usd: 1, pool_size: 1e6 })
const scam = token('SCAM', { value_usd: 50, price_usd: 5, pool_size: 99 })
const odd = token('ODD')
const wallet = [odd, dollar, ether, scam]

test('sorts by a column, tokens without a value last', () => {
  expect(symbols(arrangeBalances(wallet, all))).toBe('SCAM ETH USDX ODD')
  expect(symbols(arrangeBalances(wallet, { ...all, isDescending: false }))).toBe(
    'USDX ETH SCAM ODD',
  )
  expect(symbols(arrangeBalances(wallet, { ...all, ...sortBy(all, 'token') }))).toBe(
    'ETH ODD SCAM USDX',
  )
  expect(symbols(arrangeBalances(wallet, { ...all, ...sortBy(all, 'price') }))).toBe(
    'ETH SCAM USDX ODD',
  )
})

test('sorts by the change in a day', () => {
  const past = (price: number | null) => ({
    historical_prices: [{ offset_hours: 24, price_usd: price }],
  })
  const rows = [
    token('NEW', { price_usd: 1, ...past(null) }),
    token('DOWN', { price_usd: 1, ...past(2) }),
    token('UP', { price_usd: 3, ...past(2) }),
  ]
  expect(symbols(arrangeBalances(rows, { ...all, ...sortBy(all, 'change') }))).toBe('UP DOWN NEW')
})

test('reverses the order when a column is selected again', () => {
  const once = sortBy(all, 'price')
  expect(once).toEqual({ column: 'price', isDescending: true })
  expect(sortBy(once, 'price')).toEqual({ column: 'price', isDescending: false })
})

test('hides small balances and spam, but neither tokens of unknown value nor native assets', () => {
  expect(symbols(arrangeBalances(wallet, { ...all, hidesSmall: true }))).toBe('SCAM ETH ODD')
  expect(symbols(arrangeBalances(wallet, { ...all, hidesSpam: true }))).toBe('ETH USDX')
})

test('searches symbol, name, contract and chain', () => {
  expect(symbols(arrangeBalances(wallet, { ...all, search: ' Main eth ' }))).toBe('ETH')
  expect(symbols(arrangeBalances(wallet, { ...all, search: '0xusdx' }))).toBe('USDX')
  expect(arrangeBalances(wallet, { ...all, search: 'nothing' })).toEqual([])
})

test('returns each shown row once, and does not mutate its input', () => {
  const row = fc.record({
    value_usd: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined }),
    symbol: fc.string(),
  })
  fc.assert(
    fc.property(fc.array(row), fc.boolean(), (fields, isDescending) => {
      const rows = fields.map((each, index) => token(String(index), each as Partial<Balance>))
      const before = [...rows]
      const arranged = arrangeBalances(rows, { ...all, isDescending })
      expect(rows).toEqual(before)
      expect(new Set(arranged)).toEqual(new Set(rows))
      expect(arranged).toHaveLength(rows.length)
      const values = arranged.flatMap(({ value_usd }) => value_usd ?? [])
      expect(values).toEqual([...values].sort((a, b) => (isDescending ? b - a : a - b)))
    }),
  )
})
