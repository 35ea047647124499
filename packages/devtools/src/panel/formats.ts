/** A number without needless digits. */
export function formatNumber(value: number): string {
  return Number.isFinite(value)
    ? value.toLocaleString('en-US', { maximumFractionDigits: 2 })
    : 'unlimited'
}

/** A duration such as `1.2 s` or `3 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1000
  return seconds < 60
    ? `${seconds.toFixed(1)} s`
    : `${formatNumber(Math.round(seconds / 6) / 10)} min`
}

/** A local time such as `14:03:27.120`. */
export function formatTime(time: number): string {
  const date = new Date(time)
  const pad = (value: number, length = 2) => String(value).padStart(length, '0')
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => pad(part))
  return `${parts.join(':')}.${pad(date.getMilliseconds(), 3)}`
}

/** Parameters in one line. */
export function formatParameters(parameters: object): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`)
    .join(' ')
}

const maxJsonLength = 20_000

/** A value as indented JSON. An app may write bigints to the cache or use them in query keys, and JSON has none. */
export function toJson(value: unknown): string {
  const replaceBigint = (_: string, part: unknown) => (typeof part === 'bigint' ? `${part}n` : part)
  return JSON.stringify(value, replaceBigint, 2) ?? String(value)
}

/** A value as indented JSON, cut off if it is long. */
export function formatJson(value: unknown): string {
  const json = toJson(value)
  return json.length > maxJsonLength
    ? `${json.slice(0, maxJsonLength)}\n… ${json.length - maxJsonLength} more characters`
    : json
}
