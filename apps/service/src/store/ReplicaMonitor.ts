import type pg from 'pg'
import { type IndexedBlocks, ReplicaLag } from './ReplicaLag.ts'

const intervalMs = 2_000
/** The replica is not read while it lags by more. */
export const maxLagMs = 30_000

interface ReplicaMonitorOptions {
  readonly primary: pg.Pool
  /** A separate pool for the replica, with a query timeout. */
  readonly replica: pg.Pool
  /** Called when the replica becomes unavailable or lags, once until it recovers. */
  readonly onUnavailable: (error: unknown) => void
  /** Called after each query that the replica does not respond to. Other pending queries then have no response either. */
  readonly onUnresponsive: () => void
}

/** Monitors periodically whether a replica responds and keeps up with its primary. */
export class ReplicaMonitor {
  readonly #options: ReplicaMonitorOptions
  readonly #lag = new ReplicaLag(maxLagMs)
  readonly #timer: NodeJS.Timeout
  #check: Promise<void> | undefined
  #isUnavailable = false

  constructor(options: ReplicaMonitorOptions) {
    this.#options = options
    this.#timer = setInterval(() => {
      this.#check ??= this.#runCheck().finally(() => (this.#check = undefined))
    }, intervalMs).unref()
  }

  /** Whether reads are to avoid the replica. */
  get isUnavailable(): boolean {
    return this.#isUnavailable
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#check
    await this.#options.replica.end()
  }

  async #runCheck(): Promise<void> {
    const { primary, replica } = this.#options
    let replicaBlocks: IndexedBlocks
    try {
      // Before the primary, so that the replica is never ahead in the comparison.
      replicaBlocks = await readBlocks(replica)
    } catch (error) {
      this.#update(error)
      return this.#options.onUnresponsive()
    }
    let primaryBlocks: IndexedBlocks
    try {
      primaryBlocks = await readBlocks(primary)
    } catch {
      // Without the primary, the replica is the only database to read.
      return this.#update(undefined)
    }
    const isLate = this.#lag.observe(primaryBlocks, replicaBlocks, performance.now())
    this.#update(
      isLate ? new Error(`The replica lags by more than ${maxLagMs / 1000} seconds`) : undefined,
    )
  }

  #update(error: unknown): void {
    const wasUnavailable = this.#isUnavailable
    this.#isUnavailable = error !== undefined
    if (this.#isUnavailable && !wasUnavailable) {
      this.#options.onUnavailable(error)
    }
  }
}

async function readBlocks(pool: pg.Pool): Promise<IndexedBlocks> {
  const { rows } = await pool.query<{ chain_id: number; indexed_block: number | null }>(
    'select chain_id, indexed_block from chains',
  )
  return new Map(rows.map(({ chain_id, indexed_block }) => [chain_id, indexed_block]))
}
