import type { PricedItem } from '@headwater/core'
import { sparkline, sparklineSize } from '@headwater/demo-kit'

/** The price of the last week as a sparkline. */
export function Sparkline({ item }: { item: PricedItem }) {
  const line = sparkline(item)
  if (!line) {
    return null
  }
  const { width, height } = sparklineSize
  return (
    <svg
      className="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={line.direction === 'flat' ? 'unchanged' : `went ${line.direction}`}
      data-testid="sparkline"
      data-direction={line.direction}
    >
      <path d={line.path} />
    </svg>
  )
}
