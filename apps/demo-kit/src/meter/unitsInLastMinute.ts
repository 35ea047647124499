import type { Usage } from '@headwater/core'

const minute = 60_000

/**
 * Compute units of the last 60 seconds: those of this minute of the clock, and of the one before as much as is not yet
 * 60 seconds ago, as if they had been spent evenly.
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
