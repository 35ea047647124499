import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type pg from 'pg'

/** After a replica could not be reached, it is left alone for so long. */
const restMs = 5_000

/**
 * Hands out connections to a replica; while it cannot be reached, connections to the primary. Where it can be reached but
 * all connections are in use, whoever waits too long is refused: what a replica does not bear is not put on the primary.
 */
export class FallbackPool implements PostgresPool {
  readonly #replica: pg.Pool
  readonly #primary: pg.Pool
  readonly #onAway: (error: unknown) => void
  readonly #watch: { readonly isAway: boolean }
  readonly #lent = new Set<pg.PoolClient>()
  #restsUntil = -Infinity

  /**
   * @param onAway - called with the fault, each time a connection to the replica cannot be made.
   * @param watch - knows whether the replica is not to be read from.
   */
  constructor(
    replica: pg.Pool,
    primary: pg.Pool,
    onAway: (error: unknown) => void,
    watch: { readonly isAway: boolean } = { isAway: false },
  ) {
    this.#replica = replica
    this.#primary = primary
    this.#onAway = onAway
    this.#watch = watch
    replica.on('acquire', (client) => this.#lent.add(client))
    replica.on('release', (_error, client) => this.#lent.delete(client))
  }

  get options(): object {
    return this.#replica.options
  }

  async connect(): Promise<PostgresPoolClient> {
    if (!this.#watch.isAway && performance.now() >= this.#restsUntil) {
      try {
        return await this.#replica.connect()
      } catch (error) {
        if (isBusy(error)) {
          throw error
        }
        this.#restsUntil = performance.now() + restMs
        this.#onAway(error)
      }
    }
    return await this.#primary.connect()
  }

  /** Breaks the connections to the replica that are in use: whoever waits for a server that hangs waits for ever. */
  breakConnections(): void {
    // While a query runs, it ends the connection without a word to the server.
    for (const client of this.#lent) {
      void (client as unknown as pg.Client).end().catch(() => {})
    }
  }

  /** Ends the replica's connections; the primary's belong to somebody else. */
  async end(): Promise<void> {
    await this.#replica.end()
  }
}

/** Whether all connections of a pool were in use for too long: that says nothing about its server. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && error.message === 'timeout exceeded when trying to connect'
}
