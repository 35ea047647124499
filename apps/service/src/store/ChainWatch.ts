import type { Logger } from 'pino'
import { toHex } from './hex.ts'
import type { Store } from './Store.ts'

/** The stored state of a chain. */
export interface ChainState {
  readonly chainId: number
  /** The latest indexed block; undefined before the initial sync is complete. */
  readonly block: { readonly number: number; readonly hash: string } | undefined
  /** Increases when responses may change without a new block. */
  readonly metadataVersion: number
  /** Why indexing stopped permanently; undefined while it has not. */
  readonly stoppedReason: string | undefined
}

/** The interval of reads without a notification. */
const refreshMs = 2_000
/** States that were read longer ago count as unknown. */
const maxAgeMs = 10_000

type WatchedStore = Pick<Store, 'kind' | 'reader' | 'watchChains'>

/**
 * Caches the states of the chains, so that requests do not read them. It reads them again after each notification of the
 * store, so that they may be some milliseconds old.
 */
export class ChainWatch {
  readonly #store: WatchedStore
  readonly #logger: Pick<Logger, 'warn'>
  readonly #stopped = new Set<number>()
  readonly #stoppedByProcess = new Set<number>()
  readonly #unwatch: () => Promise<void>
  readonly #timer: NodeJS.Timeout
  #states: ReadonlyMap<number, ChainState> = new Map()
  #readAt = -Infinity
  #reading: Promise<void> | undefined
  #isStale = true
  #isUnavailable = false

  constructor(store: WatchedStore, logger: Pick<Logger, 'warn'>) {
    this.#store = store
    this.#logger = logger
    this.#unwatch = store.watchChains(() => void this.refresh())
    this.#timer = setInterval(() => void this.refresh(), refreshMs).unref()
    void this.refresh()
  }

  /** Ids of the chains with permanently stopped indexing. The set is live. */
  get stoppedChains(): ReadonlySet<number> {
    return this.#stopped
  }

  /** The state of a chain; undefined while it is unknown. */
  get(chainId: number): ChainState | undefined {
    return this.#isExpired() ? undefined : this.#states.get(chainId)
  }

  /** Marks a chain as stopped by this process, also when the store cannot be written. */
  markStopped(chainId: number): void {
    this.#stoppedByProcess.add(chainId)
    this.#stopped.add(chainId)
  }

  /** Reads the states. Changes before the call are visible afterwards, unless the store is unavailable. */
  async refresh(): Promise<void> {
    this.#isStale = true
    this.#reading ??= this.#read()
    await this.#reading
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#unwatch()
    await this.#reading
  }

  #isExpired(): boolean {
    // The embedded database has one session: while a long commit holds it, no other change becomes visible, and cached
    // responses remain valid.
    if (this.#store.kind === 'pglite' && this.#reading && !this.#isUnavailable) {
      return false
    }
    return performance.now() - this.#readAt > maxAgeMs
  }

  async #read(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      const startedAt = performance.now()
      try {
        this.#setStates(await readStates(this.#store))
        this.#readAt = startedAt
        this.#isUnavailable = false
      } catch (error) {
        if (!this.#isUnavailable) {
          this.#logger.warn({ err: error }, 'failed to load chains, retrying')
        }
        this.#isUnavailable = true
      }
    }
    this.#reading = undefined
  }

  #setStates(states: readonly ChainState[]): void {
    this.#states = new Map(states.map((state) => [state.chainId, state]))
    for (const { chainId, stoppedReason } of states) {
      if (stoppedReason !== undefined || this.#stoppedByProcess.has(chainId)) {
        this.#stopped.add(chainId)
      } else {
        this.#stopped.delete(chainId)
      }
    }
  }
}

async function readStates({ reader }: Pick<Store, 'reader'>): Promise<ChainState[]> {
  const rows = await reader
    .selectFrom('chains')
    .fullJoin('indexers', 'indexers.chain_id', 'chains.chain_id')
    .select(({ fn }) => [
      fn.coalesce('chains.chain_id', 'indexers.chain_id').as('chain_id'),
      'indexed_block',
      'indexed_hash',
      'metadata_version',
      'synced_at',
      'stopped_reason',
    ])
    .execute()
  return rows.map((row) => ({
    // Not null on at least one side of the join.
    chainId: Number(row.chain_id),
    block:
      row.synced_at && row.indexed_block !== null && row.indexed_hash
        ? { number: row.indexed_block, hash: toHex(row.indexed_hash) }
        : undefined,
    metadataVersion: row.metadata_version ?? 0,
    stoppedReason: row.stopped_reason ?? undefined,
  }))
}
