import type { RefetchQuery, StreamObserver } from '../queries/WatchOptions.ts'
import { pendingState, type Pollable } from './Pollable.ts'

/** The option for an event after which polling resumes: the page becomes visible, or the browser is online again. */
export type ResumeOption = 'refetchOnWindowFocus' | 'refetchOnReconnect'

/**
 * What to do with a resource after such an event: `poll` at once, poll when it is `due`, which it may be, or `wait` for another
 * interval.
 */
export type Resumption = 'poll' | 'due' | 'wait'

/**
 * Combines the options of all observers of a resource.
 *
 * @param isStale - Whether the latest response is older than a time in milliseconds.
 */
export function getResumption(
  observers: Iterable<StreamObserver>,
  option: ResumeOption,
  { state = pendingState }: Pick<Pollable, 'state'>,
  isStale: (staleTime: number) => boolean,
): Resumption {
  let resumption: Resumption = 'wait'
  for (const { enabled, staleTime, [option]: value } of observers) {
    if (!enabled) {
      continue
    }
    const refetches = typeof value === 'function' ? value({ state } as RefetchQuery) : value
    if (refetches === 'always' || (refetches && isStale(staleTime))) {
      return 'poll'
    }
    if (refetches !== false) {
      resumption = 'due'
    }
  }
  return resumption
}
