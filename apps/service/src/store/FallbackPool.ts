import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** How long the replica is avoided after a failed connection. */
const cooldownMs = 5_000

/**
 * A pool of connections to a replica that falls back to the primary while the replica is unavailable. When all
 * connections to the replica are in use, `connect` times out instead: the primary cannot serve the load of the replica.
 */
export class FallbackPool implements PostgresPool {
  readonly #replica: pg.Pool
  readonly #primary: pg.Pool
  readonly #onUnavailable: (error: unknown) => void
  readonly #monitor: { readonly isUnavailable: boolean }
  readonly #inUse = new Set<pg.PoolClient>()
  #cooldownUntil = -Infinity

  /** @param onUnavailable - called each time a connection to the replica fails. */
  constructor(
    replica: pg.Pool,
    primary: pg.Pool,
    onUnavailable: (error: unknown) => void,
    monitor: { readonly isUnavailable: boolean } = { isUnavailable: false },
  ) {
    this.#replica = replica
    this.#primary = primary
    this.#onUnavailable = onUnavailable
    this.#monitor = monitor
    replica.on('acquire', (client) => this.#inUse.add(client))
    replica.on('release', (_error, client) => this.#inUse.delete(client))
  }

  get options(): object {
    return this.#replica.options
  }

  async connect(): Promise<PostgresPoolClient> {
    if (!this.#monitor.isUnavailable && performance.now() >= this.#cooldownUntil) {
      try {
        return await this.#replica.connect()
      } catch (error) {
        if (isExhausted(error)) {
          throw error
        }
        this.#cooldownUntil = performance.now() + cooldownMs
        this.#onUnavailable(error)
      }
    }
    return await this.#primary.connect()
  }

  /** Terminates the connections to the replica that are in use, because queries to an unresponsive server never settle. */
  terminateConnections(): void {
    for (const client of this.#inUse) {
      // During a query, `end` closes the socket immediately.
      void (client as unknown as pg.Client).end().catch(() => {})
    }
  }

  /** Ends the pool of the replica only: the pool of the primary is shared. */
  async end(): Promise<void> {
    await this.#replica.end()
  }
}

/** Whether all connections of a pool were in use until the timeout. `pg-pool` has neither a class nor a code for it. */
function isExhausted(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}
