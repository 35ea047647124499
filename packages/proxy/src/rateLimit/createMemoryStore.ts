import type { RateLimitStore } from './RateLimit.ts'

/** Windows in memory, about 10 MB. */
const defaultMaxVisitors = 100_000

/**
 * Creates the default store of rate limits: counts in the memory of the process.
 *
 * @param options.maxVisitors - Visitors that are counted at once; beyond it, the oldest windows are forgotten. Default 100,000.
 * @returns The store. It has no timers to stop.
 * @example
 * import { createMemoryStore } from '@headwater/proxy'
 * const store = createMemoryStore({ maxVisitors: 1000 })
 */
export function createMemoryStore({
  maxVisitors = defaultMaxVisitors,
}: { readonly maxVisitors?: number } = {}): RateLimitStore {
  /** In the order in which the windows began. */
  const windows = new Map<string, { count: number; readonly endsAt: number }>()
  return {
    increment(visitor, windowMs) {
      const now = Date.now()
      let window = windows.get(visitor)
      // The clock may be set back, in which case a window would never end.
      if (!window || window.endsAt <= now || window.endsAt > now + windowMs) {
        windows.delete(visitor)
        window = { count: 0, endsAt: now + windowMs }
        windows.set(visitor, window)
      }
      window.count++
      for (const [oldest, { endsAt }] of windows) {
        if (endsAt > now && windows.size <= maxVisitors) {
          break
        }
        windows.delete(oldest)
      }
      return { count: window.count, resetMs: window.endsAt - now }
    },
  }
}
