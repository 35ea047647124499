import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import { repeat } from '../rpc/transport/Backoff.ts'
import type { Store } from '../store/Store.ts'
import { downsamplePoolStates } from './downsamplePoolStates.ts'

/** Milliseconds between two runs. */
const intervalMs = 10 * 60_000

interface KeepPriceHistoryOptions {
  readonly store: Pick<Store, 'db' | 'kind'>
  readonly chain: ChainConfig
  readonly logger: Logger
}

/** Downsamples the price history of a chain periodically, until the signal aborts. Failures are retried. */
export async function keepPriceHistory(
  { store, chain, logger }: KeepPriceHistoryOptions,
  signal: AbortSignal,
): Promise<void> {
  const downsample = async () => {
    const deleted = await downsamplePoolStates(store.db, chain.id, chain.priceHistory, { signal })
    // PGlite has no autovacuum, which would free the space of deleted rows.
    if (deleted > 0 && store.kind === 'pglite') {
      await sql`vacuum pool_states`.execute(store.db)
    }
    if (deleted > 0) {
      logger.debug({ deleted }, 'pool states downsampled')
    }
    return intervalMs
  }
  const log = (error: unknown) =>
    logger.warn({ err: error }, 'failed to downsample the price history, retrying')
  await repeat(downsample, log, signal)
}
