import type { Logger } from 'pino'
import { type ChainState, type ChainUpdate, ChainWatch, type UpdateListener } from './ChainWatch.ts'
import type { Store } from './Store.ts'
import type { Stores } from './Stores.ts'

/** Caches the states of the chains of several stores, each of which is watched alone. */
export class ChainWatches {
  readonly #stores: Stores
  readonly #watches: ReadonlyMap<Store, ChainWatch>

  constructor(stores: Stores, logger: Logger) {
    this.#stores = stores
    this.#watches = new Map(
      stores.all.map((store) => {
        const ofStore =
          store === stores.main ? logger : logger.child({ chains: stores.chainsOf(store) })
        return [store, new ChainWatch(store, ofStore)]
      }),
    )
  }

  /** See {@link ChainWatch.onUpdate}. */
  onUpdate(listener: UpdateListener): void {
    for (const [store, watch] of this.#watches) {
      watch.onUpdate(async (update) => {
        if (this.#stores.of(update.chainId) === store) {
          await listener(update)
        }
      })
    }
  }

  /** See {@link ChainWatch.onPublished}. */
  onPublished(listener: (update: ChainUpdate) => void): void {
    for (const [store, watch] of this.#watches) {
      watch.onPublished((update) => {
        if (this.#stores.of(update.chainId) === store) {
          listener(update)
        }
      })
    }
  }

  /** See {@link ChainWatch.get}. */
  get(chainId: number): ChainState | undefined {
    return this.#of(chainId).get(chainId)
  }

  /** See {@link ChainWatch.isStopped}. */
  isStopped(chainId: number): boolean {
    return this.#of(chainId).isStopped(chainId)
  }

  /** See {@link ChainWatch.publishing}. */
  publishing(chainId: number): Promise<void> | undefined {
    return this.#of(chainId).publishing
  }

  /** Whether the store of a chain, or the main one, failed to respond recently. */
  isUnavailable(chainId?: number): boolean {
    return this.#of(chainId).isUnavailable
  }

  /** See {@link ChainWatch.waitFor}. */
  async waitFor(...args: Parameters<ChainWatch['waitFor']>): Promise<boolean> {
    return await this.#of(args[0]).waitFor(...args)
  }

  /** See {@link ChainWatch.markRunning}. */
  markRunning(chainId: number): void {
    this.#of(chainId).markRunning(chainId)
  }

  /** See {@link ChainWatch.markStopped}. */
  markStopped(chainId: number): void {
    this.#of(chainId).markStopped(chainId)
  }

  /** See {@link ChainWatch.getFailure}. */
  getFailure(chainId: number): string | undefined {
    return this.#of(chainId).getFailure(chainId)
  }

  /** See {@link ChainWatch.setFailure}. */
  setFailure(chainId: number, reason: string | undefined): void {
    this.#of(chainId).setFailure(chainId, reason)
  }

  /** Reads the states of a chain's store. */
  async refresh(chainId: number): Promise<void> {
    await this.#of(chainId).refresh()
  }

  async close(): Promise<void> {
    await Promise.all([...this.#watches.values()].map((watch) => watch.close()))
  }

  #of(chainId: number | undefined): ChainWatch {
    const { main } = this.#stores
    const store = chainId === undefined ? main : this.#stores.of(chainId)
    return this.#watches.get(store) as ChainWatch
  }
}
