import type { PricePoint } from './PriceHistory.ts'

/** How far back a chart looks. */
export interface ChartRange {
  readonly label: string
  readonly milliseconds: number
}

const hour = 3_600_000

/** The ranges to choose from. */
export const chartRanges: readonly ChartRange[] = [
  { label: '10 min', milliseconds: hour / 6 },
  { label: '24 h', milliseconds: 24 * hour },
  { label: '7 d', milliseconds: 168 * hour },
]

/** A place on the chart's axis, in seconds since 1970; without a value nothing is drawn there. */
export interface ChartPoint {
  readonly time: number
  readonly value?: number
}

/** So many places has a chart: it gives each the same room, so they have to be at the same distance in time. */
const places = 200

/**
 * Lays a history out on an axis of equal steps that ends now: at each step the newest price of it, if it has one.
 *
 * @param points - In the order of time; the last is the price of now.
 */
export function chartPoints(
  points: readonly PricePoint[],
  { milliseconds }: ChartRange,
  now: number,
): ChartPoint[] {
  const step = milliseconds / places
  const end = Math.floor(now / step)
  const values = new Map<number, number>()
  for (const { time, price } of points) {
    // What was true when the range began is drawn at its beginning.
    const place = Math.max(Math.floor(time / step), end - places)
    values.set(place, price)
  }
  const newest = points.at(-1)
  if (newest) {
    values.set(end, newest.price)
  }
  return Array.from({ length: places + 1 }, (_, index) => {
    const place = end - places + index
    const value = values.get(place)
    return { time: (place * step) / 1000, ...(value !== undefined && { value }) }
  })
}
