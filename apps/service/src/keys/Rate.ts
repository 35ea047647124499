/** Rate limit of a key: a token bucket of that many requests, which refills evenly within that many seconds. */
export interface Rate {
  readonly requests: number
  readonly seconds: number
}

const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }
const maximumRequests = 1_000_000_000

/**
 * Parses a rate such as `10/s`, `600/m` or `5000/h`; a number alone is per minute.
 *
 * @returns undefined for an invalid text.
 */
export function parseRate(text: string): Rate | undefined {
  const [, digits, unit = 'm'] = /^(\d{1,10})(?:\/([smh]))?$/.exec(text) ?? []
  const requests = Number(digits)
  const seconds = secondsOf[unit]
  if (!seconds || !(requests >= 1 && requests <= maximumRequests)) {
    return undefined
  }
  return { requests, seconds }
}

/** Formats a rate so that `parseRate` parses it. */
export function formatRate({ requests, seconds }: Rate): string {
  const [unit = `${seconds}s`] = Object.entries(secondsOf).find(([, of]) => of === seconds) ?? []
  return `${requests}/${unit}`
}
