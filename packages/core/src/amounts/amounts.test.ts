import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { formatAmount } from './formatAmount.ts'
import { getAmount } from './getAmount.ts'
import { getPriceChange } from './getPriceChange.ts'
import { getTotalValueUsd } from './getTotalValueUsd.ts'
import { getValueUsd } from './getValueUsd.ts'
import { isLowLiquidity } from './isLowLiquidity.ts'
import { isSameToken } from './isSameToken.ts'
import { parseAmount } from './parseAmount.ts'

const anyAmount = fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n - 1n })
const anyDecimals = fc.integer({ min: 0, max: 80 })

/** `BigInt` accepts some of them. */
const noAmounts = ['1.5', '', ' ', ' 1', '0x10', '1e5', '--1', '+1']

describe('formatAmount', () => {
  it.each([
    ['0', 18, '0'],
    ['1', 18, '0.000000000000000001'],
    ['1000000000000000000', 18, '1'],
    ['1234567890000000000000', 18, '1234.56789'],
    ['-5', 1, '-0.5'],
    ['42', 0, '42'],
  ])('formats %s with %i decimals as %s', (amount, decimals, text) => {
    expect(formatAmount(amount, decimals)).toBe(text)
    expect(formatAmount(BigInt(amount), decimals)).toBe(text)
  })

  it('is exact', () => {
    fc.assert(
      fc.property(anyAmount, anyDecimals, (amount, decimals) => {
        const [whole = '', fraction = ''] = formatAmount(amount, decimals).split('.')
        expect(BigInt(whole + fraction.padEnd(decimals, '0'))).toBe(amount)
      }),
    )
  })

  it('truncates and never rounds up', () => {
    fc.assert(
      fc.property(anyAmount, anyDecimals, fc.nat(20), (amount, decimals, digits) => {
        const cut = formatAmount(amount, decimals, { maximumFractionDigits: digits })
        const factor = 10n ** BigInt(Math.max(0, decimals - digits))
        expect(cut).toBe(formatAmount((amount / factor) * factor, decimals))
      }),
    )
  })

  it('formats zero without a sign', () => {
    expect(formatAmount(-1n, 18, { maximumFractionDigits: 2 })).toBe('0')
    expect(formatAmount(-1n, 18, { maximumFractionDigits: 2, locale: 'en-US' })).toBe('0')
  })

  it('groups and separates like the locale', () => {
    expect(formatAmount('-123456789', 2, { locale: 'en-US' })).toBe('-1,234,567.89')
    expect(formatAmount('-123456789', 2, { locale: 'de-DE' })).toBe('-1.234.567,89')
    expect(formatAmount('12345605', 2, { locale: 'ar-EG' })).toBe('١٢٣٬٤٥٦٫٠٥')
    // Spanish groups from five digits on.
    expect(formatAmount('123405', 2, { locale: 'es' })).toBe('1234,05')
    expect(formatAmount('1234505', 2, { locale: 'es' })).toBe('12.345,05')
  })

  // ICU 78.2, in Node.js, groups by U+0027, and that of Chromium 153 by U+2019.
  it.each(['de-CH', 'de-LI', 'en-CH', 'it-CH'])('groups %s alike in all runtimes', (locale) => {
    expect(formatAmount('123456789', 2, { locale })).toMatch(/^1\u2019234\u2019567[.,]89$/)
  })

  it('creates the number format of a locale once', () => {
    const create = vi.spyOn(Intl, 'NumberFormat')
    const format = () => formatAmount('1234500', 3, { locale: 'fr-CA' })
    expect([format(), format(), format()]).toEqual(Array(3).fill('1\u00a0234,5'))
    expect(create).toHaveBeenCalledOnce()
    create.mockRestore()
  })

  it('is exact in a locale', () => {
    fc.assert(
      fc.property(anyAmount, anyDecimals, (amount, decimals) => {
        expect(formatAmount(amount, decimals, { locale: 'en-US' }).replaceAll(',', '')).toBe(
          formatAmount(amount, decimals),
        )
      }),
    )
  })

  it('formats smallest units if the decimals are unknown', () => {
    expect(formatAmount('-1234', undefined)).toBe('-1234 smallest units')
    expect(formatAmount(1234n, undefined, { locale: 'de-DE' })).toBe('1.234 smallest units')
    expect(() => formatAmount('1.5', undefined)).toThrow(SyntaxError)
  })

  it('rejects invalid decimals and amounts', () => {
    expect(() => formatAmount('1', -1)).toThrow(RangeError)
    expect(() => formatAmount('1', 1.5)).toThrow(RangeError)
    for (const amount of noAmounts) {
      expect(() => formatAmount(amount, 1)).toThrow(SyntaxError)
    }
  })
})

describe('getTotalValueUsd', () => {
  const anyValues = fc.array(fc.double({ min: 0, max: 1e15, noNaN: true }))
  const total = (values: readonly number[]) =>
    getTotalValueUsd(values.map((value_usd) => ({ value_usd })))

  it('sums items with a price', () => {
    expect(getTotalValueUsd([{ value_usd: 0.5 }, {}, { value_usd: 0.25 }])).toBe(0.75)
    expect(getTotalValueUsd([])).toBe(0)
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

  it('is Infinity beyond the largest float, not NaN', () => {
    expect(total([Number.MAX_VALUE, Number.MAX_VALUE, 1])).toBe(Infinity)
  })

  it('is independent of the order', () => {
    fc.assert(
      fc.property(anyValues, (values) => {
        const sorted = [...values].sort((a, b) => a - b)
        const difference = Math.abs(total(sorted) - total(values))
        expect(difference).toBeLessThanOrEqual(total(values) * Number.EPSILON)
      }),
    )
  })
})

describe('parseAmount', () => {
  it.each([
    ['1', 18, 10n ** 18n],
    ['1.', 2, 100n],
    ['.5', 2, 50n],
    [' 1.50 ', 1, 15n],
    ['-0.25', 2, -25n],
    ['0', 0, 0n],
    ['007', 0, 7n],
  ])('parses %s with %i decimals', (text, decimals, amount) => {
    expect(parseAmount(text, decimals)).toBe(amount)
  })

  it('is the inverse of formatAmount', () => {
    fc.assert(
      fc.property(anyAmount, anyDecimals, (amount, decimals) => {
        expect(parseAmount(formatAmount(amount, decimals), decimals)).toBe(amount)
      }),
    )
  })

  it('parses pasted text of any length in linear time', () => {
    const length = 300_000
    expect(() => parseAmount(`${'1'.repeat(length)}x`, 18)).toThrow(SyntaxError)
    expect(() => parseAmount(`${' '.repeat(length)}x`, 18)).toThrow(SyntaxError)
    expect(() => parseAmount(`0.${'0'.repeat(length)}1`, 18)).toThrow(RangeError)
    expect(parseAmount(`0.5${'0'.repeat(length)}`, 1)).toBe(5n)
  })

  it('parses the largest amount of a contract', () => {
    const largest = 2n ** 256n - 1n
    for (const decimals of [0, 18, 77, 78, 80]) {
      expect(parseAmount(formatAmount(largest, decimals), decimals)).toBe(largest)
    }
  })

  it('rejects more digits than the token has', () => {
    fc.assert(
      fc.property(anyDecimals, fc.integer({ min: 1, max: 9 }), (decimals, last) => {
        expect(() => parseAmount(`0.${'0'.repeat(decimals)}${last}`, decimals)).toThrow(RangeError)
      }),
    )
  })

  it.each(['', ' ', '.', '-', '1e3', '1,000', '0x10', '1 2', '1.2.3', '+1', 'Infinity', '١'])(
    'rejects "%s"',
    (text) => expect(() => parseAmount(text, 18)).toThrow(SyntaxError),
  )

  it('rejects invalid decimals', () => {
    expect(() => parseAmount('1', -1)).toThrow(RangeError)
    expect(() => parseAmount('1', NaN)).toThrow(RangeError)
  })
})

describe('getAmount', () => {
  it('reads balances, holders and collectibles of any size', () => {
    const largest = 2n ** 256n - 1n
    expect(getAmount({ amount: String(largest) })).toBe(largest)
    expect(getAmount({ balance: String(largest) })).toBe(largest)
    expect(getAmount({})).toBeUndefined()
  })

  it('rejects values that are not integers', () => {
    for (const amount of noAmounts) {
      expect(() => getAmount({ amount })).toThrow(SyntaxError)
    }
  })
})

describe('getValueUsd', () => {
  const anyPrice = fc.double({ min: 1e-30, max: 1e30, noNaN: true })
  /** A finite float as an exact fraction. */
  const fractionOf = (float: number): [bigint, bigint] => {
    let denominator = 1n
    let numerator = float
    while (!Number.isInteger(numerator)) {
      numerator *= 2
      denominator *= 2n
    }
    return [BigInt(numerator), denominator]
  }
  /** A decimal number, with or without an exponent, as an exact fraction. */
  const decimalOf = (text: string): [bigint, bigint] => {
    const [digits = '', exponent = '0'] = text.split('e')
    const [whole = '', rest = ''] = digits.split('.')
    const power = Number(exponent) - rest.length
    const numerator = BigInt(whole + rest)
    return power < 0 ? [numerator, 10n ** BigInt(-power)] : [numerator * 10n ** BigInt(power), 1n]
  }
  const abs = (value: bigint) => (value < 0n ? -value : value)
  const next = (float: number, by: 1n | -1n) => {
    const view = new DataView(new ArrayBuffer(8))
    view.setFloat64(0, float)
    view.setBigInt64(0, view.getBigInt64(0) + by)
    return view.getFloat64(0)
  }

  it.each([
    ['3000000000000000000', 18, 0.1, 0.3],
    ['1', 0, 2000.5, 2000.5],
    ['0', 18, 2000.5, 0],
    ['1', 18, 1e-7, 1e-25],
    ['15', 1, 1e21, 1.5e21],
    ['-25', 1, 2, -5],
    ['1', 0, -1.5, -1.5],
  ])('of %s with %i decimals at %d is %d', (amount, decimals, price, value) => {
    expect(getValueUsd(amount, decimals, price)).toBe(value)
    expect(getValueUsd(BigInt(amount), decimals, price)).toBe(value)
  })

  it('is the float nearest to the exact product', () => {
    const anyPositive = fc.bigInt({ min: 1n, max: 2n ** 256n - 1n })
    fc.assert(
      fc.property(anyPositive, anyDecimals, anyPrice, (amount, decimals, price) => {
        const [top, bottom] = decimalOf(String(price))
        const numerator = top * amount
        const denominator = bottom * 10n ** BigInt(decimals)
        const distance = (float: number) => {
          const [n, d] = fractionOf(float)
          // As fractions with a common denominator: d divides 2 ** 1074.
          return abs(numerator * 2n ** 1074n - n * (2n ** 1074n / d) * denominator)
        }
        const value = getValueUsd(amount, decimals, price)
        expect(distance(value) <= distance(next(value, 1n))).toBe(true)
        expect(distance(value) <= distance(next(value, -1n))).toBe(true)
      }),
    )
  })

  it('of parts adds up to that of the whole', () => {
    const anyPart = fc.bigInt({ min: 0n, max: 2n ** 250n })
    fc.assert(
      fc.property(fc.array(anyPart), anyDecimals, anyPrice, (parts, decimals, price) => {
        const whole = getValueUsd(
          parts.reduce((a, b) => a + b, 0n),
          decimals,
          price,
        )
        const sum = getTotalValueUsd(
          parts.map((part) => ({ value_usd: getValueUsd(part, decimals, price) })),
        )
        // Each part was rounded by at most half a unit in its last place.
        expect(Math.abs(sum - whole)).toBeLessThanOrEqual(whole * 2 * Number.EPSILON)
      }),
    )
  })

  it('rejects invalid prices, amounts and decimals', () => {
    expect(() => getValueUsd('1', 18, Infinity)).toThrow(RangeError)
    expect(() => getValueUsd('1', 18, NaN)).toThrow(RangeError)
    expect(() => getValueUsd('1', 1.5, 1)).toThrow(RangeError)
    for (const amount of noAmounts) {
      expect(() => getValueUsd(amount, 1, 1)).toThrow(SyntaxError)
    }
  })
})

describe('getPriceChange', () => {
  const historical_prices = [
    { offset_hours: 24, price_usd: 100 },
    { offset_hours: 168, price_usd: null },
    { offset_hours: 720, price_usd: 0 },
  ]

  it('is a percentage of the past price', () => {
    expect(getPriceChange({ price_usd: 105, historical_prices }, 24)).toBe(5)
    expect(getPriceChange({ price_usd: 0, historical_prices }, 24)).toBe(-100)
    expect(getPriceChange({ price_usd: 100, historical_prices }, 24)).toBe(0)
  })

  it('is undefined without both prices', () => {
    expect(getPriceChange({ historical_prices }, 24)).toBeUndefined()
    expect(getPriceChange({ price_usd: 1 }, 24)).toBeUndefined()
    for (const offset of [1, 168, 720]) {
      expect(getPriceChange({ price_usd: 1, historical_prices }, offset)).toBeUndefined()
    }
  })

  it('applied to the past price results in the price', () => {
    const anyPrice = fc.double({ min: 1e-12, max: 1e12, noNaN: true })
    fc.assert(
      fc.property(anyPrice, anyPrice, (now, past) => {
        const item = { price_usd: now, historical_prices: [{ offset_hours: 1, price_usd: past }] }
        const change = getPriceChange(item, 1) ?? NaN
        expect(Math.abs(past * (1 + change / 100) - now)).toBeLessThanOrEqual(
          4 * Number.EPSILON * (now + past),
        )
      }),
    )
  })
})

describe('isLowLiquidity', () => {
  it('is the flag of the service, else derived from the pool size, else false', () => {
    expect(isLowLiquidity({ low_liquidity: true, pool_size: 1e6 })).toBe(true)
    expect(isLowLiquidity({ low_liquidity: false, pool_size: 1 })).toBe(false)
    expect(isLowLiquidity({ pool_size: 9999.99 })).toBe(true)
    expect(isLowLiquidity({ pool_size: 10_000 })).toBe(false)
    expect(isLowLiquidity({})).toBe(false)
  })
})

describe('isSameToken', () => {
  const usdc = { chainId: 1, address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }
  const lower = usdc.address.toLowerCase()

  it('compares chain and address in any case and notation', () => {
    expect(isSameToken(usdc, { chain_id: 1, address: lower })).toBe(true)
    expect(isSameToken(usdc, { chainId: 10, address: lower })).toBe(false)
    expect(isSameToken(usdc, { chainId: 1, address: 'native' })).toBe(false)
    expect(isSameToken({ chain_id: 1, address: 'native' }, { chainId: 1, address: 'native' })).toBe(
      true,
    )
  })
})
