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
const defaultMaxEntries = 100_000
const maximumAgeMs = { volatile: 10_000, other: 600_000 }

/** Caches values that were read from the store, such as the rows of a wallet, until a block changes them. */
export class StoreCache {
  readonly #watch: Pick<ChainWatch, 'get'>
  readonly #changes: Pick<ChangeIndex, 'hasChanged'>
  readonly #entries: LRUCache<string, Entry>

  /** @param changes - must have the changes that led to the states of the chains. */
  constructor(
    watch: Pick<ChainWatch, 'get'>,
    changes: Pick<ChangeIndex, 'hasChanged'>,
    maxEntries = defaultMaxEntries,
  ) {
    this.#entries = new LRUCache({ maxSize: maxEntries })
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
    load: (() => Promise<Value | undefined>) | undefined,
  ): Promise<Value | undefined> {
    const key = toKey(subject, heads)
    const sequences = this.#getSequences(heads)
    const known = sequences && this.#find<Value>(key)
    if (known) {
      return known
    }
    const value = await load?.()
    if (value && sequences) {
      this.#set(key, value, sequences)
    }
    return value
  }

  /**
   * Does so for values of the same type.
   *
   * @param names - identify the values of the type.
   * @param load - reads those that are not cached, by name.
   */
  async getOrLoadMany<Value extends CachedValue>(
    heads: ReadonlyMap<number, Head>,
    type: string,
    names: readonly string[],
    load: (missing: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
  ): Promise<Map<string, Value>> {
    const sequences = this.#getSequences(heads)
    const values = new Map<string, Value>()
    const missing: string[] = []
    for (const name of names) {
      const known = sequences && this.#find<Value>(toKey([type, name], heads))
      if (known) {
        values.set(name, known)
      } else {
        missing.push(name)
      }
    }
    for (const [name, value] of missing.length > 0 ? await load(missing) : []) {
      values.set(name, value)
      if (sequences) {
        this.#set(toKey([type, name], heads), value, sequences)
      }
    }
    return values
  }

  #find<Value extends CachedValue>(key: string): Value | undefined {
    const entry = this.#entries.get(key)
    return entry && !this.#hasChanged(entry) ? (entry.value as Value) : undefined
  }

  /** @param sequences - of the heads. What was read at others than the latest is not related to their changes. */
  #set(key: string, value: CachedValue, sequences: Entry['sequences']): void {
    const ttl = value.isVolatile ? maximumAgeMs.volatile : maximumAgeMs.other
    this.#entries.set(key, { value, sequences }, { size: 1 + value.weight, ttl })
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

function toKey(subject: readonly unknown[], heads: ReadonlyMap<number, Head>): string {
  return JSON.stringify([subject, [...heads.keys()]])
}

function isAt({ block, metadataVersion }: ChainState, head: Head): boolean {
  return block?.hash === head.hash && metadataVersion === head.metadataVersion
}
