import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatAmount } from './formatAmount.ts'
import { totalValue } from './totalValue.ts'

const anyAmount = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n })
const anyDecimals = fc.integer({ min: 0, max: 80 })

describe('formatAmount', () => {
  it.each([
    ['0', 18, '0'],
    ['1', 18, '0.000000000000000001'],
    ['1000000000000000000', 18, '1'],
    ['1234567890000000000000', 18, '1234.56789'],
    ['-5', 1, '-0.5'],
    ['42', 0, '42'],
  ])('writes %s with %i decimals as %s', (amount, decimals, text) => {
    expect(formatAmount(amount, decimals)).toBe(text)
    expect(formatAmount(BigInt(amount), decimals)).toBe(text)
  })

  it('loses nothing', () => {
    fc.assert(
      fc.property(anyAmount, anyDecimals, (amount, decimals) => {
        const [whole = '', fraction = ''] = formatAmount(amount, decimals).split('.')
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(amount)
      }),
    )
  })

  it('cuts off and never rounds up', () => {
    fc.assert(
      fc.property(anyAmount, anyDecimals, fc.nat(20), (amount, decimals, digits) => {
        const cut = formatAmount(amount, decimals, { maximumFractionDigits: digits })
        const factor = 10n ** BigInt(Math.max(0, decimals - digits))
        expect(cut).toBe(formatAmount((amount / factor) * factor, decimals))
      }),
    )
  })

  it('shows no sign before nothing', () => {
    expect(formatAmount(-1n, 18, { maximumFractionDigits: 2 })).toBe('0')
    expect(formatAmount(-1n, 18, { maximumFractionDigits: 2, locale: 'en-US' })).toBe('0')
  })

  it('groups and separates as the locale does', () => {
    expect(formatAmount('-123456789', 2, { locale: 'en-US' })).toBe('-1,234,567.89')
    expect(formatAmount('-123456789', 2, { locale: 'de-DE' })).toBe('-1.234.567,89')
    expect(formatAmount('12345605', 2, { locale: 'ar-EG' })).toBe('١٢٣٬٤٥٦٫٠٥')
  })

  it('loses nothing in a locale', () => {
    fc.assert(
      fc.property(anyAmount, anyDecimals, (amount, decimals) => {
        expect(formatAmount(amount, decimals, { locale: 'en-US' }).replaceAll(',', '')).toBe(
          formatAmount(amount, decimals),
        )
      }),
    )
  })

  it('refuses what is no number of decimals, and no amount', () => {
    expect(() => formatAmount('1', -1)).toThrow(RangeError)
    expect(() => formatAmount('1', 1.5)).toThrow(RangeError)
    expect(() => formatAmount('1.5', 1)).toThrow(SyntaxError)
  })
})

describe('totalValue', () => {
  const anyValues = fc.array(fc.double({ min: 0, max: 1e15, noNaN: true }))
  const total = (values: readonly number[]) =>
    totalValue(values.map((value_usd) => ({ value_usd })))

  it('counts what is priced', () => {
    expect(totalValue([{ value_usd: 0.5 }, {}, { value_usd: 0.25 }])).toBe(0.75)
    expect(totalValue([])).toBe(0)
    expect(total([1e16, 1, 1])).toBe(1e16 + 2)
    expect(total(Array.from({ length: 10 }, () => 0.1))).toBe(1)
  })

  it('is exact for cents', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000)), (cents) => {
        const sum = cents.reduce((a, b) => a + b, 0)
        expect(total(cents.map((cent) => cent / 100)).toFixed(2)).toBe((sum / 100).toFixed(2))
      }),
    )
  })

  it('does not depend on the order', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const sorted = [...values].sort((a, b) => a - b)
        const difference = Math.abs(total(sorted) - total(values))
        expect(difference).toBeLessThanOrEqual(total(values) * Number.EPSILON)
      }),
    )
  })
})
