/**
 * Whether this host renders pages for others rather than showing one: it has no `window`. The only place that asks the
 * host what it is.
 */
export function isServer(): boolean {
  return typeof window === 'undefined'
}
