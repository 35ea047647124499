import type { Kysely } from 'kysely'
import type { ChainLock } from './ChainLock.ts'
import type { Database } from './Database.ts'

/**
 * Where the store is: a PostgreSQL server and perhaps a replica of it to read from, a folder for the embedded database,
 * or memory that begins as the image (a file) of an empty one (which spares the seconds that making one takes).
 */
export type StoreLocation =
  | { readonly databaseUrl: string; readonly replicaUrl?: string }
  | { readonly folder: string }
  | { readonly image: string }

/** An open store with its tables made. */
export interface Store {
  readonly db: Kysely<Database>
  /**
   * Reads what requests ask for: a replica where there is one, which may be some blocks behind `db`; else, and while the
   * replica is away or more than half a minute behind, what `db` writes to.
   */
  readonly reader: Kysely<Database>
  /** Whether `reader` may be behind `db`. */
  readonly hasReplica: boolean
  readonly kind: 'postgres' | 'pglite'
  /**
   * Waits until no other process indexes the chain, and keeps others from it.
   *
   * @param options.onWaiting - called once when it is not free; with the error where the store cannot be asked.
   * @returns undefined when the signal aborts before.
   */
  lockChain(
    chainId: number,
    options: { readonly signal: AbortSignal; readonly onWaiting?: (error?: unknown) => void },
  ): Promise<ChainLock | undefined>
  /**
   * Calls back whenever the chains that `reader` sees may have changed: at once on a change in this process's or
   * another's hands where the store tells them, else four times a second.
   *
   * @returns a function that ends it.
   */
  watchChains(onChange: () => void): () => Promise<void>
  /** Waits for running queries, closes, and gives up the folder. */
  close(): Promise<void>
}
