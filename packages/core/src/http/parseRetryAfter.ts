/** Reads `Retry-After`, which is seconds or an HTTP date, as milliseconds from `now`. */
export function parseRetryAfter(value: string | null, now: number): number | undefined {
  if (value === null || value.trim() === '') return undefined
  const seconds = Number(value)
  const milliseconds = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined
}
