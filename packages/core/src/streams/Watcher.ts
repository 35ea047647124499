import type { WatchOptions } from './WatchOptions.ts'

/** One way to watch a question, with all its defaults filled in. */
export interface Watcher {
  readonly enabled: boolean
  /** Milliseconds between polls; `Infinity` for none. */
  readonly refetchInterval: number
  /** Milliseconds for which an answer is fresh. */
  readonly staleTime: number
  readonly gcTime: number | undefined
  /** Called when status, data or error may have changed. */
  readonly update: () => void
}

const defaultInterval = 10_000

/** Fills in the defaults. */
export function createWatcher<T, S>(
  { enabled = true, refetchInterval = defaultInterval, staleTime, gcTime }: WatchOptions<T, S>,
  defaultStaleTime: unknown,
  update: () => void,
): Watcher {
  const polls = typeof refetchInterval === 'number' && refetchInterval > 0
  return {
    enabled,
    refetchInterval: polls ? refetchInterval : Infinity,
    staleTime:
      staleTime ??
      (typeof defaultStaleTime === 'number' ? defaultStaleTime : polls ? refetchInterval : 0),
    gcTime,
    update,
  }
}
