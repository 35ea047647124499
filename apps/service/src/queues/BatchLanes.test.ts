import { expect, it } from 'vitest'
import { BatchLanes } from './BatchLanes.ts'

/** Reads that settle on demand, with their items. */
function createReads() {
  const reads: { items: readonly string[]; settled: PromiseWithResolvers<string> }[] = []
  const read = (items: readonly string[]) => {
    const settled = Promise.withResolvers<string>()
    reads.push({ items, settled })
    return settled.promise
  }
  return { reads, read }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

it('reads items together that are requested at the same time, and those of other lanes apart', async () => {
  const lanes = new BatchLanes()
  const { reads, read } = createReads()
  const first = ['a', 'b', 'a'].map((item) => lanes.read('one', item, read))
  const other = lanes.read('two', 'a', read)
  await turn()
  expect(reads.map(({ items }) => items)).toEqual([['a', 'b'], ['a']])
  const second = lanes.read('one', 'c', read)
  await turn()
  // Two are read at once: the next items wait, and are one batch again.
  const third = ['d', 'e'].map((item) => lanes.read('one', item, read))
  await turn()
  expect(reads.map(({ items }) => items)).toEqual([['a', 'b'], ['a'], ['c']])
  reads[0]?.settled.reject(new Error('The store is away'))
  const settled = await Promise.allSettled(first)
  expect(settled.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  await turn()
  expect(reads.at(-1)?.items).toEqual(['d', 'e'])
  for (const { items, settled } of reads) {
    settled.resolve(items.join())
  }
  expect(await Promise.all([other, second, ...third])).toEqual(['a', 'c', 'd,e', 'd,e'])
})

it('does not read items of which the signals have aborted', async () => {
  const lanes = new BatchLanes()
  const { reads, read } = createReads()
  const running = [lanes.read('one', 'a', read)]
  await turn()
  running.push(lanes.read('one', 'b', read))
  await turn()
  const controller = new AbortController()
  const { signal } = controller
  const all = ['c', 'd'].map((item) => lanes.read('one', item, read, signal))
  const other = lanes.read('one', 'd', read)
  controller.abort(new Error('over'))
  const left = await Promise.allSettled([...all, lanes.read('one', 'e', read, signal)])
  expect(left.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  reads.forEach(({ items, settled }) => settled.resolve(items.join()))
  expect(await Promise.all(running)).toEqual(['a', 'b'])
  await turn()
  expect(reads.map(({ items }) => items)).toEqual([['a'], ['b'], ['d']])
  reads[2]?.settled.resolve('d')
  expect(await other).toBe('d')
})

it('limits the size of a batch', async () => {
  const lanes = new BatchLanes()
  const sizes: number[] = []
  const items = Array.from({ length: 120 }, (_, index) => `${index}`)
  await Promise.all(
    items.map((item) =>
      lanes.read('one', item, (read) => Promise.resolve(void sizes.push(read.length))),
    ),
  )
  expect(sizes).toEqual([50, 50, 20])
})
