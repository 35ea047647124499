import { EventEmitter, once } from 'node:events'
import type { Logger } from 'pino'
import type { ChainConfig } from '../config/Config.ts'
import type { TimedBlock } from '../rpc/methods/BlockHeader.ts'
import { type ChainStatus, getChainStatus } from './ChainStatus.ts'
import { type ChainChange, combineKeys, loadChanges } from './changes.ts'
import { loadChainStates, type StoredChainState } from './loadChainStates.ts'
import type { Store } from './Store.ts'

/** A chain with another block or metadata than before. */
export interface ChainUpdate {
  readonly chainId: number
  readonly block: TimedBlock | undefined
  readonly metadataVersion: number
  /** The version of the latest recorded change. */
  readonly changeVersion: number
  /** The sequence of the new state. */
  readonly sequence: number
  /** The block and version before; undefined for none. */
  readonly before: { readonly block: TimedBlock; readonly metadataVersion: number } | undefined
  /** What was changed, oldest first; undefined if everything may have changed. */
  readonly changes: readonly ChainChange[] | undefined
  /** The keys of all changes; undefined if everything may have changed. */
  readonly keys: ChainChange['keys']
}

/** Prepares for an update. The state is not published before it settles. */
export type UpdateListener = (update: ChainUpdate) => Promise<void>

/** The state of a chain in the store, as this process knows it. */
export interface ChainState extends StoredChainState {
  /** Counts the changes of the block and of what responses contain that this process has seen. */
  readonly sequence: number
  readonly isStopped: boolean
}

/** The state of a chain that is not stored. */
const absent: Omit<ChainState, 'chainId'> = {
  block: undefined,
  sequence: 0,
  metadataVersion: 0,
  changeVersion: 0,
  confirmedAt: -Infinity,
  stoppedReason: undefined,
  isStopped: false,
  hold: undefined,
}

/** The status of a chain with a state, now. */
export function getStatus(
  { block, isStopped, confirmedAt }: ChainState,
  chain: Pick<ChainConfig, 'staleness'>,
): ChainStatus {
  const unconfirmedMs = performance.now() - confirmedAt
  return getChainStatus({ isSynced: block !== undefined, isStopped, unconfirmedMs }, chain)
}

/** The interval of reads without a notification. */
const refreshMs = 2_000
/** States that were read longer ago count as unknown. */
const maxAgeMs = 10_000

/** A state before it is known whether this process stopped the chain. */
type NumberedState = Omit<ChainState, 'isStopped'>

/** A state, and when it was read, by `performance.now()`. */
interface ReadState<State = ChainState> {
  readonly state: State
  readonly readAt: number
}

type WatchedStore = Pick<Store, 'kind' | 'reader' | 'watchChains'>

/**
 * Caches the states of the chains, so that requests do not read them. It reads them again after each notification of the
 * store, so that they may be some milliseconds old.
 */
export class ChainWatch {
  readonly #store: WatchedStore
  readonly #logger: Pick<Logger, 'info' | 'warn' | 'error'>
  readonly #stoppedByProcess = new Set<number>()
  readonly #failures = new Map<number, string>()
  readonly #changes = new EventEmitter().setMaxListeners(0)
  readonly #unwatch: () => Promise<void>
  readonly #timer: NodeJS.Timeout
  readonly #listeners: UpdateListener[] = []
  readonly #publishedListeners: ((update: ChainUpdate) => void)[] = []
  #states: ReadonlyMap<number, ReadState> = new Map()
  #readAt = -Infinity
  /** The chains of which the latest update failed. */
  readonly #failing = new Set<number>()
  #reading: Promise<void> | undefined
  #publishing: Promise<void> | undefined
  #isStale = true
  #isUnavailable = false

  constructor(store: WatchedStore, logger: Pick<Logger, 'info' | 'warn' | 'error'>) {
    this.#store = store
    this.#logger = logger
    this.#unwatch = store.watchChains(() => void this.refresh())
    this.#timer = setInterval(() => void this.refresh(), refreshMs).unref()
    void this.refresh()
  }

  /** Calls a listener with each update from then on. */
  onUpdate(listener: UpdateListener): void {
    this.#listeners.push(listener)
  }

  /** Calls a listener with each update once its state is published. */
  onPublished(listener: (update: ChainUpdate) => void): void {
    this.#publishedListeners.push(listener)
  }

  /** Whether the latest read failed. */
  get isUnavailable(): boolean {
    return this.#isUnavailable
  }

  /** Settles once the states that are being read are published; undefined while none are. */
  get publishing(): Promise<void> | undefined {
    return this.#publishing
  }

  /** The state of a chain; undefined while it is unknown. */
  get(chainId: number): ChainState | undefined {
    const known = this.#states.get(chainId)
    if (this.#isExpired(known?.readAt ?? this.#readAt)) {
      return undefined
    }
    return known?.state ?? { ...absent, chainId, isStopped: this.isStopped(chainId) }
  }

  /** Whether indexing of a chain has permanently stopped, as far as that is known, also while its state is not. */
  isStopped(chainId: number): boolean {
    return (
      this.#stoppedByProcess.has(chainId) ||
      this.#states.get(chainId)?.state.stoppedReason !== undefined
    )
  }

  /**
   * Waits until the state of a chain matches.
   *
   * @returns false when the signal aborts before.
   */
  async waitFor(
    chainId: number,
    matches: (state: ChainState) => boolean,
    signal: AbortSignal,
  ): Promise<boolean> {
    for (;;) {
      const state = this.get(chainId)
      if (signal.aborted || (state && matches(state))) {
        return !signal.aborted
      }
      await once(this.#changes, 'change', { signal }).catch(() => {})
    }
  }

  /** Marks a chain as running again. */
  markRunning(chainId: number): void {
    this.#stoppedByProcess.delete(chainId)
    this.#setStates([...this.#states.values()])
  }

  /** Marks a chain as stopped by this process, also when the store cannot be written. */
  markStopped(chainId: number): void {
    this.#stoppedByProcess.add(chainId)
    this.#setStates([...this.#states.values()])
  }

  /** Why this process cannot index a chain, which another process may index. */
  getFailure(chainId: number): string | undefined {
    return this.#failures.get(chainId)
  }

  /** @param reason - undefined once this process can index the chain. */
  setFailure(chainId: number, reason: string | undefined): void {
    if (reason === undefined) {
      this.#failures.delete(chainId)
    } else {
      this.#failures.set(chainId, reason)
    }
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

  #isExpired(readAt: number): boolean {
    // The embedded database has one session: while a long commit holds it, no other change becomes visible, and cached
    // responses remain valid.
    if (this.#store.kind === 'pglite' && this.#reading && !this.#isUnavailable) {
      return false
    }
    return performance.now() - readAt > maxAgeMs
  }

  async #read(): Promise<void> {
    while (this.#isStale) {
      this.#isStale = false
      this.#publishing = this.#publish()
      await this.#publishing
    }
    this.#publishing = undefined
    this.#reading = undefined
  }

  async #publish(): Promise<void> {
    const readAt = performance.now()
    try {
      const rows = await loadChainStates(this.#store)
      this.#readAt = readAt
      if (this.#isUnavailable) {
        this.#logger.info('the store is available again')
      }
      this.#isUnavailable = false
      const updates: ChainUpdate[] = []
      this.#setStates(
        await Promise.all(rows.map((row) => this.#updateOrKeep(row, readAt, updates))),
      )
      updates.forEach((update) => this.#callPublishedListeners(update))
    } catch (error) {
      if (!this.#isUnavailable) {
        this.#logger.warn(
          { err: error },
          'the store is unavailable, retrying; requests that read it fail',
        )
      }
      this.#isUnavailable = true
    }
  }

  #callPublishedListeners(update: ChainUpdate): void {
    for (const listener of this.#publishedListeners) {
      try {
        listener(update)
      } catch (error) {
        this.#logger.error(
          { chain: update.chainId, err: error },
          'a listener of published blocks failed',
        )
      }
    }
  }

  /** Updates a chain. If its changes cannot be read, it keeps its state, or remains unknown, and does not delay the others. */
  async #updateOrKeep(
    row: StoredChainState,
    readAt: number,
    updates: ChainUpdate[],
  ): Promise<ReadState<NumberedState>> {
    const { chainId } = row
    try {
      const state = await this.#update(row, updates)
      this.#failing.delete(chainId)
      return { state, readAt }
    } catch (error) {
      if (!this.#failing.has(chainId)) {
        this.#logger.warn({ chain: chainId, err: error }, 'failed to load changes, retrying')
      }
      this.#failing.add(chainId)
      return this.#states.get(chainId) ?? { state: { ...absent, chainId }, readAt: -Infinity }
    }
  }

  /** Numbers the state of a chain, and awaits the listeners if the state changed. */
  async #update(row: StoredChainState, updates: ChainUpdate[]): Promise<NumberedState> {
    const { chainId, block, metadataVersion, changeVersion } = row
    const before = this.#states.get(chainId)?.state
    if (
      before?.block?.hash === block?.hash &&
      before?.metadataVersion === metadataVersion &&
      before?.changeVersion === changeVersion
    ) {
      return { ...row, sequence: before?.sequence ?? 0 }
    }
    const known = before?.block && { ...before, block: before.block }
    const changes = known && block ? await this.#loadChanges(known, row) : undefined
    const sequence = (before?.sequence ?? 0) + 1
    const update = {
      chainId,
      block,
      metadataVersion,
      changeVersion,
      sequence,
      before: known,
      changes,
      keys: changes && combineKeys(changes),
    }
    for (const listener of this.#listeners) {
      await listener(update)
    }
    updates.push(update)
    return { ...row, sequence }
  }

  /** The changes from a state to another; undefined if something else may have changed. */
  async #loadChanges(
    before: ChainState & { readonly block: TimedBlock },
    state: StoredChainState,
  ): Promise<readonly ChainChange[] | undefined> {
    const { changeVersion: after, block } = before
    const upTo = state.changeVersion
    if (upTo <= after) {
      return undefined
    }
    // After a failover that lost commits, other changes have the versions that were read from the earlier primary. Before the
    // first change, there is none to compare.
    const afterHash = after > 0 ? block.hash : undefined
    const changes = await loadChanges(this.#store.reader, state.chainId, { after, upTo, afterHash })
    return changes.length === upTo - after && explains(changes, before, state) ? changes : undefined
  }

  #setStates(states: readonly ReadState<NumberedState>[]): void {
    this.#states = new Map(
      states.map(({ state, readAt }) => {
        const { chainId, stoppedReason } = state
        const isStopped = stoppedReason !== undefined || this.#stoppedByProcess.has(chainId)
        return [chainId, { state: { ...state, isStopped }, readAt }]
      }),
    )
    this.#changes.emit('change')
  }
}

/** Whether changes lead from a state to another, without one that was not recorded. */
function explains(
  changes: readonly ChainChange[],
  before: Pick<ChainState, 'metadataVersion'>,
  state: Pick<ChainState, 'block' | 'metadataVersion'>,
): boolean {
  const last = changes.at(-1)
  return (
    last !== undefined &&
    recordsState(last, state) &&
    changes.every(
      ({ metadataVersions: [start] }, index) =>
        start === (changes[index - 1]?.metadataVersions[1] ?? before.metadataVersion),
    )
  )
}

/** Whether a state is the one after a change. */
export function recordsState(
  { block, metadataVersions }: ChainChange,
  state: Pick<ChainState, 'block' | 'metadataVersion'>,
): boolean {
  return block.hash === state.block?.hash && metadataVersions[1] === state.metadataVersion
}
