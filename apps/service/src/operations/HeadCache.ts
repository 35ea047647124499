import { LRUCache } from 'lru-cache'
import type { Head } from '../store/Head.ts'

interface Weighed {
  /** Size in entries of some hundred bytes. */
  readonly weight: number
}

/** Most entries of all values together: tens of megabytes at most. */
const defaultMaxEntries = 100_000

/** Caches values that are computed from the store at the heads of chains, and that depend on nothing else. */
export class HeadCache {
  readonly #values: LRUCache<string, Weighed>
  readonly #inFlight = new Map<string, Promise<Weighed | undefined>>()

  /** @param maxEntries - above it, the least recently used values are evicted. */
  constructor(maxEntries = defaultMaxEntries) {
    this.#values = new LRUCache<string, Weighed>({ maxSize: maxEntries })
  }

  /**
   * Returns the cached value or loads it. Concurrent calls share one load; neither a failure nor undefined is cached.
   *
   * @param heads - of the chains that the value is computed from, by chain id.
   * @param subject - identifies the value at these heads, and its type.
   * @param load - must read the snapshot that the heads were read from.
   */
  async getOrLoad<Value extends Weighed | undefined>(
    heads: ReadonlyMap<number, Head>,
    subject: readonly unknown[],
    load: () => Promise<Value>,
  ): Promise<Value> {
    const key = toKey(heads, subject)
    const cached = this.#values.get(key) ?? this.#inFlight.get(key)
    if (cached) {
      return (await cached) as Value
    }
    const loading = load()
      .then((value) => {
        if (value) {
          this.#values.set(key, value, { size: 1 + value.weight })
        }
        return value
      })
      .finally(() => this.#inFlight.delete(key))
    this.#inFlight.set(key, loading)
    return await loading
  }
}

function toKey(heads: ReadonlyMap<number, Head>, subject: readonly unknown[]): string {
  const states = [...heads].map(([chainId, head]) => [chainId, head.hash, head.metadataVersion])
  return JSON.stringify([subject, states])
}
