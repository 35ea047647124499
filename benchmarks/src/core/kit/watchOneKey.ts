import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { distinctUntilChanged, map, share, switchMap, timer } from 'rxjs'
import type { Figure } from '../Figure.ts'
import { createAnswers } from './createAnswers.ts'
import { createWatch } from './createWatch.ts'
import { measureRounds } from './measureRounds.ts'

const streams = 10_000
const interval = 100

/** Ten thousand streams of one key, each of which wants another part of the answer. */
export function watchOneKey(changes: boolean): Figure['contenders'] {
  return {
    headwater: () => {
      const { answers, progress, count } = begin(changes)
      const watch = createWatch(interval)
      for (let index = 0; index < streams; index++) {
        watch(0, answers.ask, { select: answers.selectFor(index) }).subscribe(count)
      }
      return measureRounds(progress)
    },
    'headwater, one stream for all': () => {
      const { answers, progress, count } = begin(changes)
      const stream = createWatch(interval)(0, answers.ask, { select: answers.selectFor(0) })
      for (let index = 0; index < streams; index++) {
        stream.subscribe(count)
      }
      return measureRounds(progress)
    },
    rxjs: () => {
      const { answers, progress, count } = begin(changes)
      const source = timer(0, interval).pipe(switchMap(answers.ask), share())
      for (let index = 0; index < streams; index++) {
        source.pipe(map(answers.selectFor(index)), distinctUntilChanged()).subscribe(count)
      }
      return measureRounds(progress)
    },
    'query-core': () => {
      const { answers, progress, count } = begin(changes)
      const client = new QueryClient()
      client.mount()
      for (let index = 0; index < streams; index++) {
        new QueryObserver(client, {
          queryKey: ['bench'],
          queryFn: answers.ask,
          select: answers.selectFor(index),
          refetchInterval: interval,
        }).subscribe(count)
      }
      return measureRounds(progress)
    },
  }
}

function begin(changes: boolean) {
  const answers = createAnswers(changes, 20)
  let emissions = 0
  const count = () => void emissions++
  const progress = {
    rounds: () => answers.requests,
    counts: { requests: () => answers.requests, emissions: () => emissions },
  }
  return { answers, progress, count }
}
