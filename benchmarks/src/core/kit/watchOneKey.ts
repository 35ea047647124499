import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { distinctUntilChanged, map, share, switchMap, timer } from 'rxjs'
import type { Figure } from '../Figure.ts'
import { createResponses } from './createResponses.ts'
import { createWatch } from './createWatch.ts'
import { measureRounds } from './measureRounds.ts'

const streams = 10_000
const interval = 100

/** Ten thousand streams of one key, each of which selects another part of the response. */
export function watchOneKey(changes: boolean): Figure['contenders'] {
  return {
    headwater: () => {
      const { responses, progress, count } = begin(changes)
      const watch = createWatch(interval)
      for (let index = 0; index < streams; index++) {
        watch(0, responses.fetchNext, { select: responses.selectFor(index) }).subscribe(count)
      }
      return measureRounds(progress)
    },
    'headwater, one stream for all': () => {
      const { responses, progress, count } = begin(changes)
      const stream = createWatch(interval)(0, responses.fetchNext, {
        select: responses.selectFor(0),
      })
      for (let index = 0; index < streams; index++) {
        stream.subscribe(count)
      }
      return measureRounds(progress)
    },
    rxjs: () => {
      const { responses, progress, count } = begin(changes)
      const source = timer(0, interval).pipe(switchMap(responses.fetchNext), share())
      for (let index = 0; index < streams; index++) {
        source.pipe(map(responses.selectFor(index)), distinctUntilChanged()).subscribe(count)
      }
      return measureRounds(progress)
    },
    'query-core': () => {
      const { responses, progress, count } = begin(changes)
      const client = new QueryClient()
      client.mount()
      for (let index = 0; index < streams; index++) {
        new QueryObserver(client, {
          queryKey: ['bench'],
          queryFn: responses.fetchNext,
          select: responses.selectFor(index),
          refetchInterval: interval,
        }).subscribe(count)
      }
      return measureRounds(progress)
    },
  }
}

function begin(changes: boolean) {
  const responses = createResponses(changes, 20)
  let emissions = 0
  const count = () => void emissions++
  const progress = {
    rounds: () => responses.requests,
    counts: { requests: () => responses.requests, emissions: () => emissions },
  }
  return { responses, progress, count }
}
