import { say } from '../printFigure.ts'
import { benchAnswers } from './answers/benchAnswers.ts'
import { benchBackfill } from './backfill/benchBackfill.ts'
import { openHistory } from './history/openHistory.ts'
import { startBenchPostgres } from './startBenchPostgres.ts'

/** What to measure. */
interface BenchServiceOptions {
  readonly only?: string
  readonly store?: string
  readonly transfers: number
  readonly holders: number
  readonly withoutPeers: boolean
}

/** Measures the service: the backfill beside its peers, then its answers. */
export async function benchService(options: BenchServiceOptions): Promise<void> {
  const stores = (['postgres', 'pglite'] as const).filter(
    (store) => options.store === undefined || options.store === store,
  )
  const postgres = await startBenchPostgres()
  try {
    if (options.only !== 'answers') {
      const history = await openHistory(options.transfers)
      try {
        await benchBackfill(history, postgres, { ...options, stores })
      } finally {
        await history.node.stop()
      }
    }
    if (options.only !== 'backfill') {
      await benchAnswers(postgres, { ...options, stores })
    }
  } finally {
    say('Sweeping up …')
    await postgres.stop()
  }
}
