import { once } from 'node:events'
import type { ChainConfig } from '../config/Config.ts'
import type { Store } from './Store.ts'

/** What requests read and write. */
type ServedStore = Pick<Store, 'db' | 'reader' | 'replica'>

/** The store of some chains in another database than the main one. */
export interface ChainStore<S = Store> {
  readonly store: S
  /** Aborts once its tables are migrated: the database may be away when the process starts. */
  readonly ready: AbortSignal
}

/** The stores of a process: the main one, which has the keys and units, and those of chains in other databases. */
export class Stores<S extends ServedStore = Store> {
  readonly main: S
  readonly #others: ReadonlyMap<number, ChainStore<S>>

  /** @param others - the stores of chains that are not in the main one, by chain id. */
  constructor(main: S, others: ReadonlyMap<number, ChainStore<S>> = new Map()) {
    this.main = main
    this.#others = others
  }

  /** Each store once, the main one first. */
  get all(): readonly S[] {
    return [...new Set([this.main, ...[...this.#others.values()].map(({ store }) => store)])]
  }

  /** The store of a chain. */
  of(chainId: number): S {
    return this.#others.get(chainId)?.store ?? this.main
  }

  /** The chains of a store that is not the main one. */
  chainsOf(store: S): number[] {
    return [...this.#others].flatMap(([id, other]) => (other.store === store ? id : []))
  }

  /** Whether the tables of a chain's store are migrated. */
  isReady(chainId: number): boolean {
    return this.#others.get(chainId)?.ready.aborted ?? true
  }

  /**
   * Waits until the tables of a chain's store are migrated.
   *
   * @returns false when the signal aborts before.
   */
  async whenReady(chainId: number, signal: AbortSignal): Promise<boolean> {
    const ready = this.#others.get(chainId)?.ready
    if (ready && !ready.aborted && !signal.aborted) {
      await once(AbortSignal.any([ready, signal]), 'abort')
    }
    return !signal.aborted
  }

  /** Groups chains by their store, in the order of the chains. */
  group<Chain extends Pick<ChainConfig, 'id'>>(chains: readonly Chain[]): Map<S, Chain[]> {
    return Map.groupBy(chains, ({ id }) => this.of(id))
  }
}
