import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import { Backoff } from '../rpc/transport/Backoff.ts'
import type { Store } from '../store/Store.ts'
import { downsamplePoolStates } from './downsamplePoolStates.ts'

/** Milliseconds between two rounds. Each finds as much to remove as became too old since the last one. */
const INTERVAL_MS = 10 * 60_000

/** What is needed to keep the price history of one chain, and whom to tell. */
interface KeepPriceHistoryOptions {
  readonly store: Pick<Store, 'db' | 'kind'>
  readonly chain: ChainConfig
  readonly logger: Logger
}

/** Holds the price history of a chain to its size, until the signal aborts. Failures of the store are waited out. */
export async function keepPriceHistory(
  { store, chain, logger }: KeepPriceHistoryOptions,
  signal: AbortSignal,
): Promise<void> {
  const backOff = new Backoff()
  while (!signal.aborted) {
    try {
      const removed = await downsamplePoolStates(store.db, chain.id, chain.priceHistory, { signal })
      // Nobody else makes the room of removed rows usable there, while PostgreSQL does so by itself.
      if (removed > 0 && store.kind === 'pglite') {
        await sql`vacuum pool_states`.execute(store.db)
      }
      if (removed > 0) {
        logger.debug({ removed }, 'states of pools thinned')
      }
      backOff.succeeded()
      await delay(INTERVAL_MS, undefined, { signal })
    } catch (error) {
      if (signal.aborted) {
        return
      }
      const tell = () => logger.warn({ err: error }, 'thinning of the price history waits')
      await backOff.failed(tell, signal)
    }
  }
}
