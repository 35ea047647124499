import fc from 'fast-check'
import { expect, test } from 'vitest'
import { roundAmount } from './roundAmount.ts'

test('keeps three digits and never rounds up', () => {
  expect(roundAmount(1_234_567n)).toBe(1_230_000n)
  expect(roundAmount(999n)).toBe(999n)
  expect(roundAmount(0n)).toBe(0n)
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (amount) => {
      const rounded = roundAmount(amount)
      expect(rounded <= amount && (amount - rounded) * 100n <= amount).toBe(true)
    }),
  )
})
