import { BehaviorSubject } from 'rxjs'
import type { PriceTick } from '@headwater/core'

/** A price at a time. */
export interface PricePoint {
  /** Milliseconds since 1970. */
  readonly time: number
  readonly price: number
}

/** Offsets of the historical prices in a chart, in hours. Includes the three of the balances table. */
export const chartHours = [1, 2, 4, 8, 12, 24, 48, 72, 96, 120, 144, 168] as const

const hour = 3_600_000
/** Maximum number of stored points: more than the pixels of a chart. */
const maxPoints = 4000

/**
 * Adds the current and the historical prices of a tick to a history.
 *
 * @param points - The history, in order of time.
 * @param tick - A tick with `historical_prices`.
 * @param now - Time of the tick, in milliseconds.
 * @returns The extended history; the same object if there is nothing to add.
 */
export function extendHistory(
  points: readonly PricePoint[],
  tick: PriceTick,
  now: number,
): readonly PricePoint[] {
  const added: PricePoint[] = []
  for (const { offset_hours: offset, price_usd: price } of tick.historical_prices ?? []) {
    const time = now - offset * hour
    // Skip a price if a nearby point has the same one: the service caches historical prices for a while.
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
  return [...points, ...added].sort((a, b) => a.time - b.time).slice(-maxPoints)
}

/** Creates the history of one price. */
export function createPriceHistory() {
  const points$ = new BehaviorSubject<readonly PricePoint[]>([])
  return {
    /** The points, in order of time. */
    points$,
    /** Adds a tick; emits only if the history changes. */
    add(tick: PriceTick | undefined): void {
      const points = tick ? extendHistory(points$.value, tick, Date.now()) : points$.value
      if (points !== points$.value) {
        points$.next(points)
      }
    },
  }
}
