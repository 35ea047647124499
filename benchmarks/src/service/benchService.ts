import { printProgress } from '../printFigure.ts'
import { benchAudit } from './audit/benchAudit.ts'
import { benchBackfill } from './backfill/benchBackfill.ts'
import { benchChains } from './chains/benchChains.ts'
import { benchFactory } from './factory/benchFactory.ts'
import { benchFirstResponse } from './firstResponse/benchFirstResponse.ts'
import { benchGrowth } from './growth/benchGrowth.ts'
import { type History, openHistory } from './history/openHistory.ts'
import { benchLayout } from './layout/benchLayout.ts'
import { benchLive } from './live/benchLive.ts'
import { benchPrices } from './prices/benchPrices.ts'
import { benchPush } from './push/benchPush.ts'
import { benchResponses } from './responses/benchResponses.ts'
import { benchSoak } from './soak/benchSoak.ts'
import { type BenchPostgres, startBenchPostgres } from './startBenchPostgres.ts'
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

interface PartOptions extends BenchServiceOptions {
  readonly stores: readonly ('postgres' | 'pglite')[]
}

type RunPart = (postgres: BenchPostgres, options: PartOptions) => Promise<void>

/** The parts of the benchmark, in the order in which they run. */
const parts: readonly (readonly [name: string, run: RunPart])[] = [
  ['backfill', withHistory(benchBackfill)],
  ['verify', withHistory(benchVerify)],
  ['first-answer', benchFirstResponse],
  ['factory', benchFactory],
  ['growth', benchGrowth],
  ['layout', benchLayout],
  ['chains', benchChains],
  ['prices', benchPrices],
  ['responses', benchResponses],
  ['answers', benchLive],
  ['push', benchPush],
  ['soak', benchSoak],
  ['audit', benchAudit],
]

export const partNames = parts.map(([name]) => name)

/** Runs one part, or all but the soak, which takes too long. */
export async function benchService(options: BenchServiceOptions): Promise<void> {
  const stores = (['postgres', 'pglite'] as const).filter(
    (store) => options.store === undefined || options.store === store,
  )
  const postgres = await startBenchPostgres()
  try {
    for (const [name, run] of parts) {
      if (options.only === undefined ? name !== 'soak' : options.only === name) {
        await run(postgres, { ...options, stores })
      }
    }
  } finally {
    printProgress('Cleaning up …')
    await postgres.stop()
  }
}

function withHistory(
  run: (history: History, postgres: BenchPostgres, options: PartOptions) => Promise<void>,
): RunPart {
  return async (postgres, options) => {
    const history = await openHistory(options.transfers)
    try {
      await run(history, postgres, options)
    } finally {
      await history.node.stop()
    }
  }
}
