import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { getSqrtRatioAtTick, getTickAtSqrtRatio, maxTick, minTick } from './TickMath.ts'

const ticks = fc.integer({ min: minTick, max: maxTick })

describe('getSqrtRatioAtTick', () => {
  // MIN_SQRT_RATIO and MAX_SQRT_RATIO of TickMath.sol, and results of @uniswap/v3-sdk 3.31.5.
  it.each([
    [minTick, 4295128739n],
    [maxTick, 1461446703485210103287273052203988822378723970342n],
    [0, 2n ** 96n],
    [50, 79426470787362580746886972461n],
    [-50, 79030349367926598376800521322n],
    [1000, 83290069058676223003182343270n],
    [-5000, 61703726247759831737814779831n],
    [250_000, 21246587762933397357449903968194344n],
    [-500_000, 1101692437043807371n],
    [738_203, 847134979253254120489401328389043031315994541n],
  ])('equals the contract for %d', (tick, ratio) => {
    expect(getSqrtRatioAtTick(tick)).toBe(ratio)
  })

  it('increases with every tick', () => {
    fc.assert(
      fc.property(ticks, (tick) => {
        if (tick < maxTick) {
          expect(getSqrtRatioAtTick(tick + 1)).toBeGreaterThan(getSqrtRatioAtTick(tick))
        }
      }),
    )
  })

  it.each([minTick - 1, maxTick + 1, 0.5, NaN])('rejects %d', (tick) => {
    expect(() => getSqrtRatioAtTick(tick)).toThrow(RangeError)
  })
})

describe('getTickAtSqrtRatio', () => {
  it('returns the tick of each ratio, and the one below for a lower ratio', () => {
    fc.assert(
      fc.property(ticks, (tick) => {
        const ratio = getSqrtRatioAtTick(tick)
        expect(getTickAtSqrtRatio(ratio)).toBe(tick)
        if (tick > minTick) {
          expect(getTickAtSqrtRatio(ratio - 1n)).toBe(tick - 1)
        }
      }),
      { examples: [[minTick], [maxTick], [minTick + 1], [maxTick - 1], [0], [-1], [1]] },
    )
  })

  it('rejects a ratio below every tick', () => {
    expect(() => getTickAtSqrtRatio(1n)).toThrow(RangeError)
  })
})
