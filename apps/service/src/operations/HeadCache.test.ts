import { expect, it } from 'vitest'
import { HeadCache } from './HeadCache.ts'

const heads = new Map([[7, { number: 3, hash: '0x3', time: 0, metadataVersion: 0 }]])

it('shares a load between concurrent calls, and repeats one that failed', async () => {
  const cache = new HeadCache()
  let loads = 0
  const load = async () => {
    loads += 1
    await Promise.resolve()
    if (loads === 1) {
      throw new Error('unavailable')
    }
    return { weight: 1, number: loads }
  }
  const get = () => cache.getOrLoad(heads, ['wallet'], load)
  const failed = await Promise.allSettled([get(), get()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const [one, other] = await Promise.all([get(), get()])
  expect(one).toBe(other)
  expect(await get()).toBe(one)
  expect(loads).toBe(2)
})

it('evicts the least recently used values above the limit of entries', async () => {
  const cache = new HeadCache(10)
  let loads = 0
  const get = (subject: string, weight: number) =>
    cache.getOrLoad(heads, [subject], () => Promise.resolve({ weight, number: ++loads }))
  await get('one', 4)
  await get('two', 4)
  expect(loads).toBe(2)
  await get('one', 4)
  expect(loads).toBe(2)
  // Each value occupies five entries: the third evicts the second.
  await get('three', 4)
  await get('one', 4)
  expect(loads).toBe(3)
  await get('two', 4)
  expect(loads).toBe(4)
})
