import type { PricePoint } from './createPriceHistory.ts'

/** A time range of the chart. */
export interface ChartRange {
  readonly label: string
  readonly milliseconds: number
}

const hour = 3_600_000

/** The ranges to select. */
export const chartRanges: readonly ChartRange[] = [
  { label: '10 min', milliseconds: hour / 6 },
  { label: '24 h', milliseconds: 24 * hour },
  { label: '7 d', milliseconds: 168 * hour },
]

/** A sample of the time axis, in seconds since 1970; without a value nothing is drawn. */
export interface ChartPoint {
  readonly time: number
  readonly value?: number
}

/** Number of samples. The chart draws them equidistantly, so they are at equal distances in time. */
const samples = 200

/**
 * Samples a history in equal steps that end now: each sample has the last price of its step, if there is one.
 *
 * @param points - The history, in order of time; the last point is the current price.
 */
export function chartPoints(
  points: readonly PricePoint[],
  { milliseconds }: ChartRange,
  now: number,
): ChartPoint[] {
  const step = milliseconds / samples
  const end = Math.floor(now / step)
  const values = new Map<number, number>()
  for (const { time, price } of points) {
    // The last price before the range is drawn at its beginning.
    const sample = Math.max(Math.floor(time / step), end - samples)
    values.set(sample, price)
  }
  const newest = points.at(-1)
  if (newest) {
    values.set(end, newest.price)
  }
  return Array.from({ length: samples + 1 }, (_, index) => {
    const sample = end - samples + index
    const value = values.get(sample)
    return { time: (sample * step) / 1000, ...(value !== undefined && { value }) }
  })
}
