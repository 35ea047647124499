import { LRUCache } from 'lru-cache'

/**
 * Creates a cache of the most recently used entries whose memory grows with their number. With its option `max` alone,
 * `lru-cache` allocates arrays for the most entries at the start: up to 50 bytes for each.
 *
 * @param maxEntries - above it, the least recently used ones are evicted.
 */
export function createLruCache<Key extends string | number, Value extends NonNullable<unknown>>(
  maxEntries: number,
  options: { readonly ttl?: number; readonly noUpdateTTL?: boolean } = {},
): LRUCache<Key, Value> {
  return new LRUCache({ ...options, maxSize: maxEntries, sizeCalculation: () => 1 })
}
