import { expect, it } from 'vitest'
import { HeadCache } from './HeadCache.ts'

const heads = new Map([[7, { number: 3, hash: '0x3', time: 0, metadataVersion: 0 }]])

it('loads once what is asked for at the same time, and again what failed', async () => {
  const cache = new HeadCache()
  let loads = 0
  const load = async () => {
    loads += 1
    await Promise.resolve()
    if (loads === 1) {
      throw new Error('away')
    }
    return { weight: 1, number: loads }
  }
  const ask = () => cache.getOrLoad(heads, ['wallet'], load)
  const failed = await Promise.allSettled([ask(), ask()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  const [one, other] = await Promise.all([ask(), ask()])
  expect(one).toBe(other)
  expect(await ask()).toBe(one)
  expect(loads).toBe(2)
})

it('remembers no more than so many entries, whatever values they are of', async () => {
  const cache = new HeadCache(10)
  let loads = 0
  const ask = (subject: string, weight: number) =>
    cache.getOrLoad(heads, [subject], () => Promise.resolve({ weight, number: ++loads }))
  await ask('one', 4)
  await ask('two', 4)
  expect(loads).toBe(2)
  await ask('one', 4)
  expect(loads).toBe(2)
  // 5 + 5 are full: the one that was asked for longest ago makes room.
  await ask('three', 4)
  await ask('one', 4)
  expect(loads).toBe(3)
  await ask('two', 4)
  expect(loads).toBe(4)
})
