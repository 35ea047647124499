import type { RefetchQuery, StreamObserver } from '../queries/WatchOptions.ts'
import { pendingState, type Pollable, type ResumeOption, type Resumption } from './Pollable.ts'

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
