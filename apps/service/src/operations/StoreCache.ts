import { LRUCache } from 'lru-cache'
import type { ChainState, ChainWatch } from '../store/ChainWatch.ts'
import type { ChainDependencies, ChangeIndex } from '../store/ChangeIndex.ts'
import type { Head } from './loadHeads.ts'

/** What a cached value depends on, and how much memory it takes. */
export interface CachedValue {
  /** By chain id. */
  readonly dependencies: ReadonlyMap<number, ChainDependencies>
  /** Whether it also depends on what changes without a new block. */
  readonly isVolatile: boolean
  /** Size in entries of some hundred bytes. */
  readonly weight: number
}

interface Entry {
  readonly value: CachedValue
  /** The states of the chains at which it was read, by chain id. */
  readonly sequences: ReadonlyMap<number, number>
}

/** Most entries of all values together: tens of megabytes at most. */
const maxEntries = 100_000
const maximumAgeMs = { volatile: 10_000, other: 600_000 }

/** Caches values that were read from the store, such as the rows of a wallet, until a block changes them. */
export class StoreCache {
  readonly #watch: Pick<ChainWatch, 'get'>
  readonly #changes: Pick<ChangeIndex, 'hasChanged'>
  readonly #entries = new LRUCache<string, Entry>({ maxSize: maxEntries })

  /** @param changes - must have the changes that led to the states of the chains. */
  constructor(watch: Pick<ChainWatch, 'get'>, changes: Pick<ChangeIndex, 'hasChanged'>) {
    this.#watch = watch
    this.#changes = changes
  }

  /**
   * Returns a value at the heads of its chains, which it loads if it is not cached.
   *
   * @param subject - identifies the value and its type.
   * @param load - reads it at the heads; undefined where the store must not be read.
   */
  async getOrLoad<Value extends CachedValue>(
    heads: ReadonlyMap<number, Head>,
    subject: readonly unknown[],
    load: (() => Promise<Value>) | undefined,
  ): Promise<Value | undefined> {
    const key = JSON.stringify([subject, [...heads.keys()]])
    const sequences = this.#getSequences(heads)
    const entry = sequences && this.#entries.get(key)
    if (entry && !this.#hasChanged(entry)) {
      return entry.value as Value
    }
    const value = await load?.()
    // That of other heads than the latest is not related to their changes.
    if (value && sequences) {
      const ttl = value.isVolatile ? maximumAgeMs.volatile : maximumAgeMs.other
      this.#entries.set(key, { value, sequences }, { size: 1 + value.weight, ttl })
    }
    return value
  }

  #hasChanged({ value, sequences }: Entry): boolean {
    return [...sequences].some(([chainId, sequence]) =>
      this.#changes.hasChanged(chainId, value.dependencies.get(chainId) ?? {}, sequence),
    )
  }

  /** The sequences of the states at which the chains have these heads; undefined if one of them has another. */
  #getSequences(heads: ReadonlyMap<number, Head>): Map<number, number> | undefined {
    const sequences = new Map<number, number>()
    for (const [chainId, head] of heads) {
      const state = this.#watch.get(chainId)
      if (!state || !isAt(state, head)) {
        return undefined
      }
      sequences.set(chainId, state.sequence)
    }
    return sequences
  }
}

function isAt({ block, metadataVersion }: ChainState, head: Head): boolean {
  return block?.hash === head.hash && metadataVersion === head.metadataVersion
}
