import type { Rate } from './Rate.ts'

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }
const MAXIMUM_REQUESTS = 1_000_000_000

/**
 * Reads a rate as a person writes it: `10/s`, `600/m`, `5000/h`, or a number alone, which is a minute's.
 *
 * @returns undefined for a text that is none.
 */
export function parseRate(text: string): Rate | undefined {
  const [, digits, unit = 'm'] = /^(\d{1,10})(?:\/([smh]))?$/.exec(text) ?? []
  const requests = Number(digits)
  const seconds = secondsOf[unit]
  if (!seconds || !(requests >= 1 && requests <= MAXIMUM_REQUESTS)) {
    return undefined
  }
  return { requests, seconds }
}
