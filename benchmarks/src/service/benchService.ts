import { printProgress } from '../printFigure.ts'
import { benchBackfill } from './backfill/benchBackfill.ts'
import { openHistory } from './history/openHistory.ts'
import { benchResponses } from './responses/benchResponses.ts'
import { startBenchPostgres } from './startBenchPostgres.ts'

/** Options of the benchmark. */
interface BenchServiceOptions {
  readonly only?: string
  readonly store?: string
  readonly transfers: number
  readonly holders: number
  readonly withoutPeers: boolean
}

/** Measures the backfill of the service and its peers, then the responses of the service. */
export async function benchService(options: BenchServiceOptions): Promise<void> {
  const stores = (['postgres', 'pglite'] as const).filter(
    (store) => options.store === undefined || options.store === store,
  )
  const postgres = await startBenchPostgres()
  try {
    if (options.only !== 'responses') {
      const history = await openHistory(options.transfers)
      try {
        await benchBackfill(history, postgres, { ...options, stores })
      } finally {
        await history.node.stop()
      }
    }
    if (options.only !== 'backfill') {
      await benchResponses(postgres, { ...options, stores })
    }
  } finally {
    printProgress('Cleaning up …')
    await postgres.stop()
  }
}
