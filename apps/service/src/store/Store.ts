import type { Kysely } from 'kysely'
import type { Database } from './Database.ts'

/**
 * Where the store is: a PostgreSQL server, a folder for the embedded database, or memory that begins as the image (a file) of
 * an empty one (which spares the seconds that making one takes).
 */
export type StoreLocation =
  { readonly databaseUrl: string } | { readonly folder: string } | { readonly image: string }

/** An open store with its tables made. */
export interface Store {
  readonly db: Kysely<Database>
  readonly kind: 'postgres' | 'pglite'
  /** Waits for running queries, closes, and gives up the folder. */
  close(): Promise<void>
}
