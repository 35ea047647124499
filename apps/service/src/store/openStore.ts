import { migrate } from './migrate.ts'
import { openPGlite } from './openPGlite.ts'
import { openPostgres } from './openPostgres.ts'
import type { Store, StoreLocation } from './Store.ts'

/**
 * Opens the store and brings its tables up to date.
 *
 * @throws {StoreError} when another process has the folder, or when the tables cannot be made.
 */
export async function openStore(location: StoreLocation): Promise<Store> {
  const store = await open(location)
  try {
    await migrate(store.db)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function open(location: StoreLocation): Promise<Store> {
  if ('databaseUrl' in location) return openPostgres(location.databaseUrl)
  return await openPGlite(location)
}
