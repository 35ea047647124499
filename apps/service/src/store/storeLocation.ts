import type { StoreConfig } from '../config/Config.ts'
import type { StoreLocation } from './Store.ts'

/** The location of the configured store: PostgreSQL if a URL is configured, otherwise the data folder. */
export function storeLocation({
  databaseUrl,
  replicaUrl,
  listenUrl,
  dataFolder,
}: StoreConfig): StoreLocation {
  if (databaseUrl === undefined) {
    return { folder: dataFolder }
  }
  return { databaseUrl, ...(replicaUrl && { replicaUrl }), ...(listenUrl && { listenUrl }) }
}
