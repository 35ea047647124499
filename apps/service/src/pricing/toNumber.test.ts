import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toNumber } from './toNumber.ts'

const large = fc.bigInt({ min: 1n, max: 2n ** 700n })
const nearSmall = fc.integer({ min: 0, max: 1200 }).map((bits) => 2n ** BigInt(bits))

it('returns the nearest double, like the parser of decimal strings', () => {
  fc.assert(
    fc.property(
      fc.oneof(large, nearSmall),
      fc.oneof(large, nearSmall),
      (numerator, denominator) => {
        expect(toNumber({ numerator, denominator })).toBe(byString(numerator, denominator))
      },
    ),
    { numRuns: 2000 },
  )
})

it('rounds once near the smallest normal double', () => {
  const numerator = fc.bigInt({ min: 1n, max: 2n ** 80n })
  const bits = fc.integer({ min: 1060, max: 1120 })
  fc.assert(
    fc.property(numerator, bits, fc.bigInt({ min: 0n, max: 9n }), (above, exponent, odd) => {
      const below = 2n ** BigInt(exponent) + odd
      expect(toNumber({ numerator: above, denominator: below })).toBe(byString(above, below))
    }),
    { numRuns: 2000 },
  )
})

it('returns an exact double unchanged', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(toNumber(exactly(value))).toBe(value)
    }),
    { numRuns: 2000 },
  )
})

it('rounds ties between doubles to even', () => {
  expect(toNumber({ numerator: 2n ** 53n + 1n, denominator: 1n })).toBe(2 ** 53)
  expect(toNumber({ numerator: 2n ** 53n + 3n, denominator: 1n })).toBe(2 ** 53 + 4)
  expect(toNumber({ numerator: 2n ** 54n - 1n, denominator: 1n })).toBe(2 ** 54)
})

it.each([
  [0n, 1n, 0],
  [1n, 3n, 1 / 3],
  [1n, 2n ** 1074n, Number.MIN_VALUE],
  [1n, 2n ** 1075n, 0],
  [1n, 2n ** 1200n, 0],
  [3n, 2n ** 1075n, 2 * Number.MIN_VALUE],
  [2n ** 1024n, 1n, Infinity],
  [1n, 10n ** 77n, 1e-77],
])('%d / %d', (numerator, denominator, expected) => {
  expect(toNumber({ numerator, denominator })).toBe(expected)
})

/** Parses 780 significant digits, more than any tie between doubles has, and a last one that is nonzero if the remainder is. */
function byString(numerator: bigint, denominator: bigint): number {
  const places = String(denominator).length - String(numerator).length + 780
  const scale = 10n ** BigInt(Math.abs(places))
  const above = places >= 0 ? numerator * scale : numerator
  const below = places >= 0 ? denominator : denominator * scale
  return Number(`${above / below}${above % below > 0n ? 1 : 0}e${-places - 1}`)
}

function exactly(value: number) {
  const view = new DataView(new ArrayBuffer(8))
  view.setFloat64(0, value)
  const bits = view.getBigUint64(0)
  const exponent = bits >> 52n
  const significand = (bits & (2n ** 52n - 1n)) | (exponent === 0n ? 0n : 2n ** 52n)
  const power = (exponent === 0n ? 1n : exponent) - 1075n
  return power >= 0n
    ? { numerator: significand << power, denominator: 1n }
    : { numerator: significand, denominator: 2n ** -power }
}
