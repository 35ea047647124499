import type { Logger } from 'pino'
import { formatReason } from '../formatReason.ts'
import { isDatabaseUnavailable } from './isDatabaseUnavailable.ts'
import { withoutNotifications } from './listenForChanges.ts'
import { migrate } from './migrate.ts'
import { openPGlite } from './openPGlite.ts'
import { openPostgres } from './openPostgres.ts'
import type { Store, StoreLocation } from './Store.ts'
import { StoreError } from './StoreError.ts'

/**
 * Opens the store and migrates its tables.
 *
 * @throws {StoreError} when another process uses the folder, the database is unavailable, or the migration fails.
 */
export async function openStore(
  location: StoreLocation,
  logger?: Pick<Logger, 'warn'>,
): Promise<Store> {
  const store = await open(location, logger)
  try {
    await migrate(store.db)
    return store
  } catch (error) {
    await store.close()
    if ('databaseUrl' in location && isDatabaseUnavailable(error)) {
      throw new StoreError(
        `The database of databaseUrl (DATABASE_URL) is unavailable: ${formatReason(error)}`,
        { cause: error },
      )
    }
    throw error
  }
}

async function open(location: StoreLocation, logger?: Pick<Logger, 'warn'>): Promise<Store> {
  if (!('databaseUrl' in location)) {
    return await openPGlite(location)
  }
  const onReplicaUnavailable = (error: unknown) =>
    logger?.warn({ err: error }, 'failed to connect to the replica, reading from the primary')
  const { databaseUrl, replicaUrl, listenUrl } = location
  return openPostgres(databaseUrl, {
    ...{ replicaUrl, listenUrl, onReplicaUnavailable },
    onPooled: () =>
      logger?.warn(
        `${listenUrl === undefined ? 'databaseUrl' : 'listenUrl'} ${withoutNotifications}; changes are polled until then`,
      ),
  })
}
