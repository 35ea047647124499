import type { Usage } from '@headwater/core'

const minute = 60_000

/**
 * Compute units of the last 60 seconds: those of the current minute, and a share of the previous one, as if they were spent
 * evenly.
 */
export function unitsInLastMinute({ byMinute }: Pick<Usage, 'byMinute'>, now: number): number {
  let units = 0
  for (const { startedAt, spent } of byMinute) {
    const age = now - startedAt
    if (age < minute) {
      units += spent
    } else if (age < 2 * minute) {
      units += spent * (2 - age / minute)
    }
  }
  return Math.round(units)
}
