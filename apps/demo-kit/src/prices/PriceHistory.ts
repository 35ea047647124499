import type { PriceTick } from '@headwater/core'

/** A price at a moment. */
export interface PricePoint {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly price: number
}

/** The hours in the past whose prices a chart asks for; the three of the table of changes are among them. */
export const chartHours = [1, 2, 4, 8, 12, 24, 48, 72, 96, 120, 144, 168] as const

const hour = 3_600_000
/** So many points are kept: more than a chart is wide. */
const mostPoints = 4000

/**
 * Adds what a tick tells to what was seen of a price before: the prices of the past, and its own.
 *
 * @param points - What was seen, in the order of time.
 * @param tick - With `historical_prices`.
 * @param now - When it came, in milliseconds.
 * @returns All of it in the order of time; the same list where there is nothing new.
 */
export function extendHistory(
  points: readonly PricePoint[],
  tick: PriceTick,
  now: number,
): readonly PricePoint[] {
  const added: PricePoint[] = []
  for (const { offset_hours: offset, price_usd: price } of tick.historical_prices ?? []) {
    const time = now - offset * hour
    // A price stays as it is told for a while: near a point that says the same, it says nothing new.
    const isKnown = points.some(
      (point) => point.price === price && Math.abs(point.time - time) < (offset * hour) / 12,
    )
    if (price !== null && !isKnown) {
      added.push({ time, price })
    }
  }
  const { price_usd: price } = tick
  if (price !== undefined && points.at(-1)?.price !== price) {
    added.push({ time: now, price })
  }
  if (added.length === 0) {
    return points
  }
  return [...points, ...added].sort((a, b) => a.time - b.time).slice(-mostPoints)
}
