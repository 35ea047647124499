import { LRUCache } from 'lru-cache'
import type { Head } from './loadHeads.ts'

/** Something that is computed from the store, and how much of it there is. */
interface Weighed {
  /** Whole number of entries of some hundred bytes. */
  readonly weight: number
}

/** Remembers what was computed from the store at heads of chains, which is never anything else at the same heads. */
export interface HeadCache {
  /**
   * Gives what is remembered, or else loads it. Who asks for the same meanwhile waits for the same.
   *
   * @param heads - of the chains that it is computed from, by chain id.
   * @param subject - what it is, and of whom; the same subject always has a value of the same type.
   * @param load - must read the snapshot that the heads were read from. What fails is not remembered.
   */
  readonly recall: <Value extends Weighed>(
    heads: ReadonlyMap<number, Head>,
    subject: readonly unknown[],
    load: () => Promise<Value>,
  ) => Promise<Value>
}

/** Entries of all values together: tens of megabytes at most. */
const MAXIMUM_ENTRIES = 100_000

/** Makes a cache that forgets what was not asked for the longest time. */
export function createHeadCache(maximumEntries = MAXIMUM_ENTRIES): HeadCache {
  const cache = new LRUCache<string, Weighed>({ maxSize: maximumEntries })
  const loading = new Map<string, Promise<Weighed>>()
  return {
    async recall<Value extends Weighed>(
      heads: ReadonlyMap<number, Head>,
      subject: readonly unknown[],
      load: () => Promise<Value>,
    ) {
      const states = [...heads].map(([chainId, head]) => [chainId, head.hash, head.metadataVersion])
      const key = JSON.stringify([subject, states])
      const known = (cache.get(key) ?? loading.get(key)) as Value | Promise<Value> | undefined
      if (known) {
        return await known
      }
      const begun = load()
        .then((value) => {
          cache.set(key, value, { size: 1 + value.weight })
          return value
        })
        .finally(() => loading.delete(key))
      loading.set(key, begun)
      return await begun
    },
  }
}
