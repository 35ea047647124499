import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ConcentratedLiquidity, type TickRange } from './ConcentratedLiquidity.ts'
import { getSqrtRatioAtTick, maxTick, minTick } from './TickMath.ts'

const q96 = 2n ** 96n
/** The reserves of a pool with these positions only. */
function reservesOf(sqrtPrice: bigint, positions: readonly (TickRange & { liquidity: bigint })[]) {
  const liquidity = new ConcentratedLiquidity()
  for (const position of positions) {
    liquidity.add(position, position.liquidity)
  }
  return liquidity.getReserves(sqrtPrice)
}

const zero = { reserve0: 0n, reserve1: 0n }

describe('the reserves in range', () => {
  it('are those of a full-range position, as in Uniswap V2', () => {
    const position = { tickLower: -887_220, tickUpper: 887_220, liquidity: 10n ** 18n }
    // Price 4: sqrt(xy) = liquidity, y / x = 4, minus the amounts beyond the last ticks.
    const { reserve0, reserve1 } = reservesOf(2n * q96, [position])
    expect(reserve0).toBe(499_999_999_999_999_999n)
    expect(reserve1).toBe(1_999_999_999_999_999_999n)
  })

  it('equal those of @uniswap/v3-sdk for a position around the price', () => {
    const position = { tickLower: -6000, tickUpper: 1200, liquidity: 123_456_789_012_345_678_901n }
    expect(reservesOf(getSqrtRatioAtTick(-777) + 12345n, [position])).toEqual({
      reserve0: 12079648257462469165n,
      reserve1: 27292286005436150658n,
    })
  })

  it('have nothing of positions that are out of range, on either side', () => {
    const position = { tickLower: 60, tickUpper: 120, liquidity: 10n ** 24n }
    const lower = getSqrtRatioAtTick(60)
    const upper = getSqrtRatioAtTick(120)
    expect(reservesOf(lower - 1n, [position])).toEqual(zero)
    expect(reservesOf(upper, [position])).toEqual(zero)
    // At the lower bound it holds only token 0; one step above it holds both.
    expect(reservesOf(lower, [position]).reserve1).toBe(0n)
    expect(reservesOf(lower, [position]).reserve0).toBeGreaterThan(0n)
    expect(reservesOf(upper - 1n, [position]).reserve0).toBe(0n)
    expect(reservesOf(upper - 1n, [position]).reserve1).toBeGreaterThan(0n)
  })

  it('are known at the highest and the lowest price of a pool', () => {
    const position = { tickLower: minTick, tickUpper: maxTick, liquidity: 2n ** 128n - 1n }
    const lowest = getSqrtRatioAtTick(minTick)
    const highest = getSqrtRatioAtTick(maxTick) - 1n
    expect(reservesOf(lowest, [position]).reserve1).toBe(0n)
    expect(reservesOf(highest, [position]).reserve0).toBe(0n)
  })

  it('are zero without positions, without liquidity and before the initialization', () => {
    const empty = { tickLower: -60, tickUpper: 60, liquidity: 0n }
    expect(reservesOf(q96, [])).toEqual(zero)
    expect(reservesOf(q96, [empty])).toEqual(zero)
    expect(reservesOf(0n, [{ ...empty, liquidity: 1n }])).toEqual(zero)
  })

  it('are zero for invalid prices and ranges', () => {
    const wide = { tickLower: minTick, tickUpper: maxTick, liquidity: 10n ** 18n }
    expect(reservesOf(1n, [wide])).toEqual(zero)
    expect(reservesOf(2n ** 160n - 1n, [wide])).toEqual(zero)
    expect(reservesOf(q96, [{ ...wide, tickLower: -8_388_608 }])).toEqual(zero)
    expect(reservesOf(q96, [{ ...wide, tickUpper: 8_388_607 }])).toEqual(zero)
    expect(reservesOf(q96, [{ ...wide, tickLower: 60, tickUpper: -60 }])).toEqual(zero)
  })

  it('are the sum of the amounts of the positions in range', () => {
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
        let x = 0
        let y = 0
        for (const { tickLower, tickUpper, liquidity } of positions) {
          if (at < tickLower || at >= tickUpper) {
            continue
          }
          x += Number(liquidity) * (1 / root(at) - 1 / root(tickUpper))
          y += Number(liquidity) * (root(at) - root(tickLower))
        }
        const { reserve0, reserve1 } = reservesOf(sqrtPrice, positions)
        expectNear(reserve0, x)
        expectNear(reserve1, y)
      }),
    )
  })

  it('do not depend on the order of changes and prices', () => {
    // Few ticks, so that ranges share them.
    const tick = fc.integer({ min: -10, max: 10 }).map((each) => 60 * each)
    const change = fc.tuple(tick, tick, fc.bigInt({ min: -(2n ** 90n), max: 2n ** 90n }))
    const step = fc.oneof(change, fc.integer({ min: -700, max: 700 }))
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const liquidity = new ConcentratedLiquidity()
        const positions: (TickRange & { liquidity: bigint })[] = []
        for (const each of steps) {
          if (typeof each === 'number') {
            const sqrtPrice = getSqrtRatioAtTick(each) + 1n
            expect(liquidity.getReserves(sqrtPrice)).toEqual(reservesOf(sqrtPrice, positions))
          } else {
            const position = { tickLower: each[0], tickUpper: each[1], liquidity: each[2] }
            positions.push(position)
            liquidity.add(position, position.liquidity)
          }
        }
        for (const position of positions) {
          liquidity.add(position, -position.liquidity)
        }
        expect(liquidity.size).toBe(0)
        expect(liquidity.getReserves(q96)).toEqual(zero)
      }),
    )
  })
})

/** Tolerates one unit, as the sum is rounded down, and the cancellation of floats. */
function expectNear(actual: bigint, expected: number) {
  expect(Math.abs(Number(actual) - expected)).toBeLessThanOrEqual(1 + expected * 1e-9)
}
