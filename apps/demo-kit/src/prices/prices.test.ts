import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { PriceTick } from '@headwater/core'
import { formatsOf } from '../formats/formatsOf.ts'
import { chartPoints, chartRanges } from './chartPoints.ts'
import { chartText } from './chartText.ts'
import { extendHistory, type PricePoint } from './createPriceHistory.ts'
import { directionOf, sparkline } from './sparkline.ts'

const hour = 3_600_000
const now = 1_800_000_000_000
const [minutes, , week] = chartRanges as [
  (typeof chartRanges)[0] & object,
  unknown,
  (typeof chartRanges)[0] & object,
]

const tick = (price_usd: number | undefined, past: [number, number | null][] = []): PriceTick => ({
  ...(price_usd !== undefined && { price_usd }),
  observedAt: now,
  source: 'tokenInfo',
  lowLiquidity: false,
  historical_prices: past.map(([offset_hours, price_usd]) => ({ offset_hours, price_usd })),
})

test('adds the historical and the current prices of a tick in order of time', () => {
  expect(
    extendHistory(
      [],
      tick(5, [
        [1, 4],
        [24, 2],
        [168, null],
      ]),
      now,
    ),
  ).toEqual([
    { time: now - 24 * hour, price: 2 },
    { time: now - hour, price: 4 },
    { time: now, price: 5 },
  ])
})

test('grows with each new price only', () => {
  const before = extendHistory([], tick(5, [[1, 4]]), now)
  expect(extendHistory(before, tick(5, [[1, 4]]), now + 2000)).toBe(before)
  const after = extendHistory(before, tick(6, [[1, 4]]), now + 2000)
  expect(after).toEqual([...before, { time: now + 2000, price: 6 }])
  expect(extendHistory([], tick(undefined), now)).toEqual([])
})

test('samples a history in equal steps that end now', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          ago: fc.integer({ min: 0, max: 300 * hour }),
          price: fc.integer({ min: 1, max: 9 }),
        }),
        { minLength: 1, maxLength: 50 },
      ),
      fc.constantFrom(...chartRanges),
      (seen, range) => {
        const history: PricePoint[] = seen
          .map(({ ago, price }) => ({ time: now - ago, price }))
          .sort((a, b) => a.time - b.time)
        const points = chartPoints(history, range, now)
        const steps = points.slice(1).map(({ time }, index) => time - points[index]!.time)
        expect(new Set(steps.map((step) => step.toFixed(3))).size).toBe(1)
        expect(points.at(-1)!.value).toBe(history.at(-1)!.price)
        expect(points.at(-1)!.time).toBeLessThanOrEqual(now / 1000)
        const known = new Set(history.map(({ price }) => price))
        for (const { value } of points) {
          if (value !== undefined) {
            expect(known).toContain(value)
          }
        }
      },
    ),
  )
})

test('starts a range with the price at its beginning', () => {
  const history = [
    { time: now - 5 * hour, price: 3 },
    { time: now, price: 4 },
  ]
  const values = chartPoints(history, minutes, now).flatMap(({ value }) => value ?? [])
  expect(values).toEqual([3, 4])
})

test('describes a chart', () => {
  const points = [{ time: 1, value: 2 }, { time: 2 }, { time: 3, value: 1 }, { time: 4, value: 3 }]
  expect(chartText(points, week, formatsOf('en-US'))).toBe(
    'In the last 7 d from $2.00 to $3.00, between $1.00 and $3.00.',
  )
  expect(chartText([{ time: 1 }], week, formatsOf('en-US'))).toContain('No price')
})

test('draws a sparkline by time, the lowest price at the bottom', () => {
  const historical_prices = [
    { offset_hours: 24, price_usd: 1 },
    { offset_hours: 48, price_usd: 2 },
  ]
  expect(sparkline({ price_usd: 3, historical_prices })).toEqual({
    path: 'M1.0,14.0L48.0,26.0L95.0,2.0',
    direction: 'up',
  })
  expect(sparkline({ price_usd: 2, historical_prices: [historical_prices[1]!] })).toEqual({
    path: 'M1.0,14.0L95.0,14.0',
    direction: 'flat',
  })
  expect(sparkline({ price_usd: 3 })).toBeNull()
  expect(sparkline({})).toBeNull()
})

test('has no direction without two prices', () => {
  expect(directionOf(undefined, 1)).toBe('flat')
  expect(directionOf(2, 1)).toBe('down')
})
