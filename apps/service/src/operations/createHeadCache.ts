import { LRUCache } from 'lru-cache'
import type { Head } from './loadHeads.ts'

/** Remembers what was computed from the store at heads of chains, which is never anything else at the same heads. */
export interface HeadCache {
  /**
   * Gives what is remembered, or else loads it.
   *
   * @param heads of the chains that it is computed from, by chain id.
   * @param subject what it is, and of whom; the same subject always has a value of the same type.
   * @param load must read the snapshot that the heads were read from. What fails is not remembered.
   */
  readonly recall: <Value extends { readonly entries: readonly unknown[] }>(
    heads: ReadonlyMap<number, Head>,
    subject: readonly unknown[],
    load: () => Promise<Value>,
  ) => Promise<Value>
}

/** Entries of all values together: some hundred bytes each, so tens of megabytes at most. */
const MAXIMUM_ENTRIES = 100_000

/** Makes a cache that forgets what was not asked for the longest time. */
export function createHeadCache(): HeadCache {
  const cache = new LRUCache<string, object>({ maxSize: MAXIMUM_ENTRIES })
  return {
    async recall<Value extends { readonly entries: readonly unknown[] }>(
      heads: ReadonlyMap<number, Head>,
      subject: readonly unknown[],
      load: () => Promise<Value>,
    ) {
      const states = [...heads].map(([chainId, head]) => [chainId, head.hash, head.metadataVersion])
      const key = JSON.stringify([subject, states])
      const known = cache.get(key) as Value | undefined
      if (known) return known
      const value = await load()
      cache.set(key, value, { size: 1 + value.entries.length })
      return value
    },
  }
}
