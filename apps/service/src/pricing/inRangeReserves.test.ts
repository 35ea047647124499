import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inRangeReserves } from './inRangeReserves.ts'
import { getSqrtRatioAtTick, maxTick, minTick } from './TickMath.ts'

const q96 = 2n ** 96n
const zero = { reserve0: 0n, reserve1: 0n }

describe('inRangeReserves', () => {
  it('returns the reserves of a full-range position, as in Uniswap V2', () => {
    const position = { tickLower: -887_220, tickUpper: 887_220, liquidity: 10n ** 18n }
    // Price 4: sqrt(xy) = liquidity, y / x = 4, minus the amounts beyond the last ticks.
    const { reserve0, reserve1 } = inRangeReserves(2n * q96, [position])
    expect(reserve0).toBe(499_999_999_999_999_999n)
    expect(reserve1).toBe(1_999_999_999_999_999_999n)
  })

  it('equals @uniswap/v3-sdk for a position around the price', () => {
    const position = { tickLower: -6000, tickUpper: 1200, liquidity: 123_456_789_012_345_678_901n }
    expect(inRangeReserves(getSqrtRatioAtTick(-777) + 12345n, [position])).toEqual({
      reserve0: 12079648257462469165n,
      reserve1: 27292286005436150658n,
    })
  })

  it('ignores positions that are out of range, on either side', () => {
    const position = { tickLower: 60, tickUpper: 120, liquidity: 10n ** 24n }
    const [lower, upper] = [getSqrtRatioAtTick(60), getSqrtRatioAtTick(120)]
    expect(inRangeReserves(lower - 1n, [position])).toEqual(zero)
    expect(inRangeReserves(upper, [position])).toEqual(zero)
    // At the lower bound it holds only token 0; one step above it holds both.
    expect(inRangeReserves(lower, [position]).reserve1).toBe(0n)
    expect(inRangeReserves(lower, [position]).reserve0).toBeGreaterThan(0n)
    expect(inRangeReserves(upper - 1n, [position]).reserve0).toBe(0n)
    expect(inRangeReserves(upper - 1n, [position]).reserve1).toBeGreaterThan(0n)
  })

  it('supports the highest and the lowest price of a pool', () => {
    const position = { tickLower: minTick, tickUpper: maxTick, liquidity: 2n ** 128n - 1n }
    const lowest = getSqrtRatioAtTick(minTick)
    const highest = getSqrtRatioAtTick(maxTick) - 1n
    expect(inRangeReserves(lowest, [position]).reserve1).toBe(0n)
    expect(inRangeReserves(highest, [position]).reserve0).toBe(0n)
  })

  it('returns zero without positions, without liquidity and before the initialization', () => {
    const empty = { tickLower: -60, tickUpper: 60, liquidity: 0n }
    expect(inRangeReserves(q96, [])).toEqual(zero)
    expect(inRangeReserves(q96, [empty])).toEqual(zero)
    expect(inRangeReserves(0n, [{ ...empty, liquidity: 1n }])).toEqual(zero)
  })

  it('ignores invalid prices and ranges', () => {
    const wide = { tickLower: minTick, tickUpper: maxTick, liquidity: 10n ** 18n }
    expect(inRangeReserves(1n, [wide])).toEqual(zero)
    expect(inRangeReserves(2n ** 160n - 1n, [wide])).toEqual(zero)
    expect(inRangeReserves(q96, [{ ...wide, tickLower: -8_388_608 }])).toEqual(zero)
    expect(inRangeReserves(q96, [{ ...wide, tickUpper: 8_388_607 }])).toEqual(zero)
  })

  it('returns the sum of the amounts of the positions in range', () => {
    const tick = fc.integer({ min: -200_000, max: 200_000 })
    const drawn = fc.array(
      fc.tuple(tick, fc.integer({ min: 1, max: 100_000 }), fc.bigInt({ min: 1n, max: 2n ** 100n })),
      { maxLength: 20 },
    )
    fc.assert(
      fc.property(tick, drawn, (at, drawn) => {
        const sqrtPrice = getSqrtRatioAtTick(at)
        const positions = drawn.map(([tickLower, width, liquidity]) => ({
          tickLower,
          tickUpper: tickLower + width,
          liquidity,
        }))
        // The formulas in floats: x = L (1/√P - 1/√b), y = L (√P - √a).
        const root = (tick: number) => 1.0001 ** (tick / 2)
        let [x, y, inRange] = [0, 0, 0]
        for (const { tickLower, tickUpper, liquidity } of positions) {
          if (at < tickLower || at >= tickUpper) {
            continue
          }
          x += Number(liquidity) * (1 / root(at) - 1 / root(tickUpper))
          y += Number(liquidity) * (root(at) - root(tickLower))
          inRange += 1
        }
        const { reserve0, reserve1 } = inRangeReserves(sqrtPrice, positions)
        expectNear(reserve0, x, inRange)
        expectNear(reserve1, y, inRange)
      }),
    )
  })
})

/** Tolerates one unit per position, which is rounded down, and the cancellation of floats. */
function expectNear(actual: bigint, expected: number, positions: number) {
  expect(Math.abs(Number(actual) - expected)).toBeLessThanOrEqual(positions + expected * 1e-9)
}
