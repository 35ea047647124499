import type { Formats } from '../formats/createFormats.ts'
import type { ChartPoint, ChartRange } from './chartPoints.ts'

/** The text alternative of a chart. */
export function chartText(
  points: readonly ChartPoint[],
  { label }: ChartRange,
  { usd }: Formats,
): string {
  const values = points.flatMap(({ value }) => value ?? [])
  if (values.length === 0) {
    return `No price is known in the last ${label}.`
  }
  const first = values[0]
  const last = values.at(-1)
  return `In the last ${label} from ${usd(first)} to ${usd(last)}, between ${usd(Math.min(...values))} and ${usd(Math.max(...values))}.`
}
