import { expect, it } from 'vitest'
import { createLruCache } from './createLruCache.ts'

it('evicts the least recently used entry', () => {
  const cache = createLruCache<string, number>(2)
  cache.set('a', 1).set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  expect([...cache.keys()]).toEqual(['c', 'a'])
})

it('takes no memory for entries that it does not have', () => {
  const before = process.memoryUsage()
  const caches = Array.from({ length: 20 }, () =>
    createLruCache<string, true>(100_000, { ttl: 1_000 }),
  )
  const after = process.memoryUsage()
  const bytes = after.heapUsed + after.external - before.heapUsed - before.external
  expect(bytes / caches.length).toBeLessThan(100_000)
})
