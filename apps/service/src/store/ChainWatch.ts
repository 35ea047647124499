import type { Logger } from 'pino'
import { toHex } from './hex.ts'
import type { Store } from './Store.ts'

/** What is stored of a chain. */
export interface ChainState {
  readonly chainId: number
  /** The newest indexed block, once the first indexing is done. */
  readonly block: { readonly number: number; readonly hash: string } | undefined
  /** Grows when answers may change without a new block. */
  readonly metadataVersion: number
  /** Why indexing ended for good. */
  readonly stoppedReason: string | undefined
}

/** Also without being told, the chains are looked at so often. */
const refreshMs = 2_000
/** What was not confirmed for so long is not known any more. */
const maximumAgeMs = 10_000

type WatchedStore = Pick<Store, 'kind' | 'reader' | 'watchChains'>

/**
 * Knows what is stored of the chains without asking for each request: it is told of changes, and then reads again. What
 * it knows may be some milliseconds old, as it may be when an answer arrives.
 */
export class ChainWatch {
  readonly #store: WatchedStore
  readonly #logger: Pick<Logger, 'warn'>
  readonly #stopped = new Set<number>()
  readonly #stoppedHere = new Set<number>()
  readonly #unwatch: () => Promise<void>
  readonly #timer: NodeJS.Timeout
  #states: ReadonlyMap<number, ChainState> = new Map()
  #readAt = -Infinity
  #reading: Promise<void> | undefined
  #isStale = true
  #isAway = false

  constructor(store: WatchedStore, logger: Pick<Logger, 'warn'>) {
    this.#store = store
    this.#logger = logger
    this.#unwatch = store.watchChains(() => void this.refresh())
    this.#timer = setInterval(() => void this.refresh(), refreshMs).unref()
    void this.refresh()
  }

  /** Chains whose indexing ended for good, by id. It is always the same set, whose elements change. */
  get stoppedChains(): ReadonlySet<number> {
    return this.#stopped
  }

  /** The state of a chain; undefined when it is not known, or not any more. */
  get(chainId: number): ChainState | undefined {
    return this.#isOld() ? undefined : this.#states.get(chainId)
  }

  /** Counts a chain as stopped from now on, whether or not the store can be told. */
  markStopped(chainId: number): void {
    this.#stoppedHere.add(chainId)
    this.#stopped.add(chainId)
  }

  /** Reads again; what changed before the call is known after it, unless the store is away. */
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

  #isOld(): boolean {
    // The embedded database has one session: while a long commit has it, nothing else becomes true, and no answer that is
    // kept already need wait.
    if (this.#store.kind === 'pglite' && this.#reading && !this.#isAway) {
      return false
    }
    return performance.now() - this.#readAt > maximumAgeMs
  }

  async #read(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      const begun = performance.now()
      try {
        this.#took(await readStates(this.#store))
        this.#readAt = begun
        this.#isAway = false
      } catch (error) {
        if (!this.#isAway) {
          this.#logger.warn({ err: error }, 'the chains cannot be watched now')
        }
        this.#isAway = true
      }
    }
    this.#reading = undefined
  }

  #took(states: readonly ChainState[]): void {
    this.#states = new Map(states.map((state) => [state.chainId, state]))
    for (const { chainId, stoppedReason } of states) {
      if (stoppedReason !== undefined || this.#stoppedHere.has(chainId)) {
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
    // One side of the join has it.
    chainId: Number(row.chain_id),
    block:
      row.synced_at && row.indexed_block !== null && row.indexed_hash
        ? { number: row.indexed_block, hash: toHex(row.indexed_hash) }
        : undefined,
    metadataVersion: row.metadata_version ?? 0,
    stoppedReason: row.stopped_reason ?? undefined,
  }))
}
