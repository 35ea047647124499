import type { Logger } from 'pino'
import { formatReason } from '../formatReason.ts'
import { isMisconfigured, toStoreError } from './describeDatabaseError.ts'
import { isDatabaseUnavailable } from './isDatabaseUnavailable.ts'
import { withoutNotifications } from './listenForChanges.ts'
import { hasCurrentTables, migrate } from './migrate.ts'
import { openPGlite } from './openPGlite.ts'
import { openPostgres } from './openPostgres.ts'
import type { Store, StoreLocation } from './Store.ts'
import { StoreError } from './StoreError.ts'

/** The setting of the main database, for errors. */
export const mainDatabase = 'databaseUrl (DATABASE_URL)'

interface OpenOptions {
  /** Opens the store also while the primary is unavailable, if the replica has the tables of this version. */
  readonly acceptsReplica?: boolean
  /** The setting or the chain of the database, for errors; that of the main one by default. */
  readonly name?: string
}

/**
 * Opens the store and migrates its tables.
 *
 * @throws {StoreError} when another process uses the folder, the database is unavailable, or the migration fails.
 */
export async function openStore(
  location: StoreLocation,
  logger?: Pick<Logger, 'warn'>,
  { acceptsReplica = false, name = mainDatabase }: OpenOptions = {},
): Promise<Store> {
  const store = await open(location, logger)
  try {
    await migrate(store.db).catch(async (error: unknown) => {
      const failure = toStoreError(error, location, name)
      if (
        !acceptsReplica ||
        !store.replica ||
        isMisconfigured(error) ||
        !isDatabaseUnavailable(error)
      ) {
        throw failure
      }
      await requireCurrentReplica(store, formatReason(failure))
      logger?.warn({ err: error }, 'the primary is unavailable, starting with the replica')
    })
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** @throws {StoreError} when the replica is unavailable as well, or has other tables than those of this version. */
async function requireCurrentReplica({ reader }: Store, state: string): Promise<void> {
  const isCurrent = await hasCurrentTables(reader).catch((error: unknown) => {
    if (isDatabaseUnavailable(error)) {
      throw new StoreError(`${state}; and so is its replica`, { cause: error })
    }
    throw error
  })
  if (!isCurrent) {
    throw new StoreError(`${state}; and its replica does not have the tables of this version yet`)
  }
}

async function open(location: StoreLocation, logger?: Pick<Logger, 'warn'>): Promise<Store> {
  if (!('databaseUrl' in location)) {
    return await openPGlite(location)
  }
  const onReplicaUnavailable = (error: unknown) =>
    logger?.warn({ err: error }, 'the replica is unreachable or behind, reading from the primary')
  const { databaseUrl, replicaUrl, listenUrl } = location
  return openPostgres(databaseUrl, {
    replicaUrl,
    listenUrl,
    onReplicaUnavailable,
    onPooled: () =>
      logger?.warn(
        `${listenUrl === undefined ? 'databaseUrl' : 'listenUrl'} ${withoutNotifications}; changes are polled until then`,
      ),
  })
}
