import type { Kysely } from 'kysely'
import type { Database } from './Database.ts'
import type { ReplicaMonitor } from './ReplicaMonitor.ts'

/**
 * The location of a store: a PostgreSQL server with an optional replica for reads and a direct connection for notifications, a
 * folder of the embedded database, or memory that is initialized from an image file of an empty one, which saves the seconds of
 * its creation.
 */
export type StoreLocation =
  | { readonly databaseUrl: string; readonly replicaUrl?: string; readonly listenUrl?: string }
  | { readonly folder: string }
  | { readonly image: string }

/** The exclusive lock of a chain, which a process holds while it indexes the chain. */
export interface ChainLock {
  /** Aborts when the lock is lost: another process may index the chain from then on. */
  readonly lost: AbortSignal
  release(): Promise<void>
}

/** An open store with migrated tables. */
export interface Store {
  readonly db: Kysely<Database>
  /**
   * Serves reads of API requests: from the replica if there is one, which may lag by some blocks; otherwise, and while the
   * replica is unavailable or lags by more than half a minute, from the primary.
   */
  readonly reader: Kysely<Database>
  /** The replica, whose reads may lag behind `db`; undefined without one. */
  readonly replica: Pick<ReplicaMonitor, 'isUnavailable'> | undefined
  readonly kind: 'postgres' | 'pglite'
  /** Aborts with a `StoreError` when the embedded database fails, for example because the disk is full. It must be closed. */
  readonly failed: AbortSignal
  /**
   * Acquires the lock of a chain, and waits while another process holds it.
   *
   * @param options.onWaiting - called when it has to wait, with the error when the store is unavailable, each time that this changes.
   * @returns undefined when the signal aborts before.
   * @throws {StoreError} when the store cannot keep a lock.
   */
  lockChain(
    chainId: number,
    options: { readonly signal: AbortSignal; readonly onWaiting?: (error?: unknown) => void },
  ): Promise<ChainLock | undefined>
  /**
   * Calls `onChange` when the chains as seen by `reader` may have changed: immediately after a change by any process where
   * the store sends notifications, otherwise four times a second.
   *
   * @returns a function that stops it.
   */
  watchChains(onChange: () => void): () => Promise<void>
  /** Waits for running queries, closes the connections and unlocks the folder. */
  close(): Promise<void>
}
