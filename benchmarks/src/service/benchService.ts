import { printProgress } from '../printFigure.ts'
import { benchAudit } from './audit/benchAudit.ts'
import { benchBackfill } from './backfill/benchBackfill.ts'
import { benchChains } from './chains/benchChains.ts'
import { benchFactory } from './factory/benchFactory.ts'
import { benchFirstResponse } from './firstResponse/benchFirstResponse.ts'
import { benchGrowth } from './growth/benchGrowth.ts'
import { openHistory } from './history/openHistory.ts'
import { benchLayout } from './layout/benchLayout.ts'
import { benchLive } from './live/benchLive.ts'
import { benchPrices } from './prices/benchPrices.ts'
import { benchPush } from './push/benchPush.ts'
import { benchResponses } from './responses/benchResponses.ts'
import { benchSoak } from './soak/benchSoak.ts'
import { startBenchPostgres } from './startBenchPostgres.ts'
import { benchVerify } from './verify/benchVerify.ts'

/** Options of the benchmark. */
interface BenchServiceOptions {
  readonly only?: string
  readonly store?: string
  readonly transfers: number
  readonly holders: number
  readonly history: number
  readonly peerSeconds: number
  readonly withoutPeers: boolean
  readonly wallets: readonly number[]
  readonly seconds: number
  readonly minutes: number
  readonly streams: number
  readonly rate: number
}

/**
 * Measures the backfill of the service and its peers, their first responses, its backfill with and without verification, its bulk
 * load, the layout of its tables, the isolation of its chains, its prices, its responses, those for many wallets while blocks are
 * indexed, then its audit.
 */
export async function benchService(options: BenchServiceOptions): Promise<void> {
  const stores = (['postgres', 'pglite'] as const).filter(
    (store) => options.store === undefined || options.store === store,
  )
  const postgres = await startBenchPostgres()
  try {
    const isWanted = (part: string) => options.only === undefined || options.only === part
    if (isWanted('backfill') || isWanted('verify')) {
      const history = await openHistory(options.transfers)
      try {
        if (isWanted('backfill')) {
          await benchBackfill(history, postgres, { ...options, stores })
        }
        if (isWanted('verify')) {
          await benchVerify(history, postgres)
        }
      } finally {
        await history.node.stop()
      }
    }
    if (isWanted('first-answer')) {
      await benchFirstResponse(postgres, options)
    }
    if (isWanted('factory')) {
      await benchFactory(postgres)
    }
    if (isWanted('growth')) {
      await benchGrowth()
    }
    if (isWanted('layout')) {
      await benchLayout(postgres)
    }
    if (isWanted('chains')) {
      await benchChains(postgres)
    }
    if (isWanted('prices')) {
      await benchPrices(postgres)
    }
    if (isWanted('responses')) {
      await benchResponses(postgres, { ...options, stores })
    }
    if (isWanted('answers')) {
      await benchLive(postgres, { ...options, stores })
    }
    if (isWanted('push')) {
      await benchPush(postgres)
    }
    // Too long for a run of all parts.
    if (options.only === 'soak') {
      await benchSoak(postgres, { ...options, stores })
    }
    if (isWanted('audit')) {
      await benchAudit(postgres)
    }
  } finally {
    printProgress('Cleaning up …')
    await postgres.stop()
  }
}
