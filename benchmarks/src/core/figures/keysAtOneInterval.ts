import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { mergeMap, share, timer } from 'rxjs'
import type { Figure } from '../Figure.ts'
import { countTimers } from '../kit/countTimers.ts'
import { createResponses } from '../kit/createResponses.ts'
import { createWatch } from '../kit/createWatch.ts'
import { measureRounds } from '../kit/measureRounds.ts'

const keys = 1000
const interval = 200

/** The cost of polling many queries. */
export const figure: Figure = {
  title: '1,000 keys polled at one interval without a change',
  contenders: {
    headwater: () =>
      measureKeys((queryFn) => {
        const watch = createWatch(interval)
        for (let key = 0; key < keys; key++) {
          watch(key, queryFn).subscribe()
        }
      }),
    rxjs: () =>
      measureKeys((queryFn) => {
        const ticks = timer(0, interval).pipe(share())
        for (let key = 0; key < keys; key++) {
          ticks.pipe(mergeMap(queryFn)).subscribe()
        }
      }),
    'query-core': () =>
      measureKeys((queryFn) => {
        const client = new QueryClient()
        client.mount()
        for (let key = 0; key < keys; key++) {
          const options = { queryKey: ['bench', key], queryFn, refetchInterval: interval }
          new QueryObserver(client, options).subscribe(() => undefined)
        }
      }),
  },
  reach: [
    { of: ['headwater', 'liveTimers'], atMost: 1 },
    { of: ['headwater', 'cpuMs'], atMost: 0.25, times: ['query-core', 'cpuMs'] },
  ],
}

async function measureKeys(
  begin: (queryFn: ReturnType<typeof createResponses>['fetchNext']) => void,
) {
  const timers = countTimers()
  const responses = createResponses(false, 1)
  begin(responses.fetchNext)
  const measured = await measureRounds({
    rounds: () => responses.requests / keys,
    counts: { timersSet: () => timers.set, timersCleared: () => timers.cleared },
  })
  return { ...measured, liveTimers: timers.live() }
}
