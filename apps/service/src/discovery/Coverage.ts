/** Blocks, both ends included. */
export interface BlockRange {
  readonly from: number
  readonly to: number
}

/** The blocks that were searched: ranges that do not touch, the newest first. */
export type Coverage = readonly BlockRange[]

/** Adds a range, and joins those that touch. */
export function addRange(coverage: Coverage, range: BlockRange): Coverage {
  if (range.from > range.to) {
    return coverage
  }
  const touches = ({ from, to }: BlockRange) => from <= range.to + 1 && to >= range.from - 1
  const joined = [...coverage.filter(touches), range]
  const union = {
    from: Math.min(...joined.map(({ from }) => from)),
    to: Math.max(...joined.map(({ to }) => to)),
  }
  return [...coverage.filter((other) => !touches(other)), union].sort((a, b) => b.to - a.to)
}

/** The newest range within other ones that is not covered; undefined if there is none. */
export function findGap(coverage: Coverage, { from, to }: BlockRange): BlockRange | undefined {
  const top = coverage.find((range) => range.from <= to && range.to >= to)
  const last = top ? top.from - 1 : to
  if (last < from) {
    return undefined
  }
  const below = coverage.find((range) => range.to < last)
  return { from: Math.max(from, below ? below.to + 1 : from), to: last }
}

/** The share of a range that is covered, from 0 to 1. */
export function getShare(coverage: Coverage, { from, to }: BlockRange): number {
  const blocks = coverage
    .map((range) => Math.min(to, range.to) - Math.max(from, range.from) + 1)
    .filter((count) => count > 0)
    .reduce((sum, count) => sum + count, 0)
  return blocks / (to - from + 1)
}
