import type { PricedItem } from '@headwater/core'

/** A small line chart of a price. */
export interface Sparkline {
  /** The `d` of an SVG path. */
  readonly path: string
  readonly direction: Direction
}

/** Direction of a price change. */
export type Direction = 'up' | 'down' | 'flat'

/** The size of a sparkline's view box. */
export const sparklineSize = { width: 96, height: 28 } as const

/** Draws the historical and the current prices of a token by time; null with fewer than two prices. */
export function sparkline({
  price_usd: now,
  historical_prices: past = [],
}: PricedItem): Sparkline | null {
  const points = [
    ...past.flatMap(({ offset_hours: hours, price_usd: price }) =>
      price === null ? [] : [{ hours, price }],
    ),
    ...(now === undefined ? [] : [{ hours: 0, price: now }]),
  ].sort((a, b) => b.hours - a.hours)
  const first = points[0]
  const last = points.at(-1)
  if (!first || !last || first === last) {
    return null
  }
  const prices = points.map(({ price }) => price)
  const lowest = Math.min(...prices)
  const highest = Math.max(...prices)
  const { width, height } = sparklineSize
  const path = points
    .map(({ hours, price }) => {
      const x = (1 - hours / first.hours) * (width - 2) + 1
      const part = highest > lowest ? (price - lowest) / (highest - lowest) : 0.5
      return `${x.toFixed(1)},${((1 - part) * (height - 4) + 2).toFixed(1)}`
    })
    .join('L')
  return { path: `M${path}`, direction: directionOf(first.price, last.price) }
}

/** Direction from one price to another. */
export function directionOf(before: number | undefined, after: number | undefined): Direction {
  if (before === undefined || after === undefined || before === after) {
    return 'flat'
  }
  return after > before ? 'up' : 'down'
}
