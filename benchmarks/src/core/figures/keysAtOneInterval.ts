import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { mergeMap, share, timer } from 'rxjs'
import type { Figure } from '../Figure.ts'
import { countTimers } from '../kit/countTimers.ts'
import { createAnswers } from '../kit/createAnswers.ts'
import { createWatch } from '../kit/createWatch.ts'
import { measureRounds } from '../kit/measureRounds.ts'

const keys = 1000
const interval = 200

/** Of many questions that are asked again and again. */
export const figure: Figure = {
  title: '1,000 keys polled at one interval, nothing new',
  contenders: {
    headwater: () =>
      measureKeys((ask) => {
        const watch = createWatch(interval)
        for (let key = 0; key < keys; key++) {
          watch(key, ask).subscribe()
        }
      }),
    rxjs: () =>
      measureKeys((ask) => {
        const ticks = timer(0, interval).pipe(share())
        for (let key = 0; key < keys; key++) {
          ticks.pipe(mergeMap(ask)).subscribe()
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

async function measureKeys(begin: (ask: ReturnType<typeof createAnswers>['ask']) => void) {
  const timers = countTimers()
  const answers = createAnswers(false, 1)
  begin(answers.ask)
  const measured = await measureRounds({
    rounds: () => answers.requests / keys,
    counts: { timersSet: () => timers.set, timersCleared: () => timers.cleared },
  })
  return { ...measured, liveTimers: timers.live() }
}
