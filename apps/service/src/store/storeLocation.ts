import type { Config } from '../config/Config.ts'
import type { StoreLocation } from './Store.ts'

/** Where the configuration wants the store: a PostgreSQL where one is named, else the data folder. */
export function storeLocation({ databaseUrl, replicaUrl, dataFolder }: Config): StoreLocation {
  if (databaseUrl === undefined) {
    return { folder: dataFolder }
  }
  return { databaseUrl, ...(replicaUrl && { replicaUrl }) }
}
