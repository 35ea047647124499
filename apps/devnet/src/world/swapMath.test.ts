import fc from 'fast-check'
import { expect, test } from 'vitest'
import { amountOut, amountsToAdd, sharesMinted, squareRoot, swapToPrice } from './swapMath.ts'

const reserve = fc.bigInt({ min: 1_000n, max: 2n ** 112n - 1n })
const amount = fc.bigInt({ min: 1n, max: 2n ** 100n })

test('a swap never lowers the product of the reserves, and never empties a side', () => {
  fc.assert(
    fc.property(reserve, reserve, amount, (reserveIn, reserveOut, amountIn) => {
      const out = amountOut(amountIn, reserveIn, reserveOut)
      expect(out).toBeLessThan(reserveOut)
      // The check of the pair contract: the product without the fee of 0.3 %.
      const balanceIn = (reserveIn + amountIn) * 1_000n - amountIn * 3n
      const balanceOut = (reserveOut - out) * 1_000n
      expect(balanceIn * balanceOut >= reserveIn * reserveOut * 1_000_000n).toBe(true)
    }),
  )
})

test('the output of a swap is the maximum that the pair allows', () => {
  fc.assert(
    fc.property(reserve, reserve, amount, (reserveIn, reserveOut, amountIn) => {
      const out = amountOut(amountIn, reserveIn, reserveOut) + 1n
      const balanceIn = (reserveIn + amountIn) * 1_000n - amountIn * 3n
      const balanceOut = (reserveOut - out) * 1_000n
      expect(balanceIn * balanceOut < reserveIn * reserveOut * 1_000_000n).toBe(true)
    }),
  )
})

test('the square root is rounded down', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 224n }), (value) => {
      const root = squareRoot(value)
      expect(root * root <= value && (root + 1n) * (root + 1n) > value).toBe(true)
    }),
  )
})

test('at most the desired amounts are added, and shares grow no faster than reserves', () => {
  fc.assert(
    fc.property(amount, amount, reserve, reserve, (desiredA, desiredB, reserveA, reserveB) => {
      const [a, b] = amountsToAdd(desiredA, desiredB, reserveA, reserveB)
      expect(a <= desiredA && b <= desiredB).toBe(true)
      const total = squareRoot(reserveA * reserveB)
      const shares = sharesMinted([a, b], [reserveA, reserveB], total)
      expect(shares * reserveA <= a * total && shares * reserveB <= b * total).toBe(true)
    }),
  )
})

test('the first mint locks the minimum liquidity', () => {
  expect(amountsToAdd(4_000_000n, 9_000_000n, 0n, 0n)).toEqual([4_000_000n, 9_000_000n])
  expect(sharesMinted([4_000_000n, 9_000_000n], [0n, 0n], 0n)).toBe(5_999_000n)
})

test('a swap to a price reaches it', () => {
  const side = fc.bigInt({ min: 10n ** 18n, max: 10n ** 30n })
  const price = fc.bigInt({ min: 10n ** 6n, max: 10n ** 12n })
  fc.assert(
    fc.property(side, side, price, price, (reserveA, reserveB, priceA, priceB) => {
      const { payIn, amountIn } = swapToPrice(reserveA, reserveB, priceA, priceB)
      const product = reserveA * reserveB
      const after =
        payIn === 'a'
          ? [reserveA + amountIn, product / (reserveA + amountIn)]
          : [product / (reserveB + amountIn), reserveB + amountIn]
      const valueA = (after[0] ?? 0n) * priceA
      const valueB = (after[1] ?? 0n) * priceB
      const gap = valueA > valueB ? valueA - valueB : valueB - valueA
      expect(gap * 1_000n < valueA + valueB).toBe(true)
    }),
  )
})
