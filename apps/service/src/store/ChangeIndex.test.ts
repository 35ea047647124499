import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { LatestChanges } from './ChangeIndex.ts'

it('removes the older half of the addresses above its limit, and counts all as changed until then', () => {
  const latest = new LatestChanges(4)
  latest.add(['a', 'b'], 1)
  latest.add(['a'], 2)
  latest.add(['c'], 3)
  expect(latest.floor).toBe(0)
  expect(['a', 'b', 'c', 'd'].map((each) => latest.hasChanged([each], 1))).toEqual([
    ...[true, false, true, false],
  ])
  latest.add(['d', 'e'], 4)
  // Those of a and b were removed.
  expect(latest.floor).toBe(2)
  expect(['a', 'b', 'f'].map((each) => latest.hasChanged([each], 1))).toEqual([true, true, true])
  expect(['a', 'c', 'd', 'e'].map((each) => latest.hasChanged([each], 3))).toEqual([
    ...[false, false, true, true],
  ])
  expect(latest.hasChanged([], 0)).toBe(false)
})

it('counts all addresses as changed at a sequence, and those that are added afterwards', () => {
  const latest = new LatestChanges(4)
  latest.add(['a', 'b', 'c'], 1)
  latest.addAll(5)
  latest.add(['a', 'b'], 6)
  latest.add(['c', 'a'], 7)
  expect(latest.floor).toBe(5)
  expect(['a', 'c', 'd'].map((each) => latest.hasChanged([each], 4))).toEqual([true, true, true])
  expect(['a', 'b', 'c'].map((each) => latest.hasChanged([each], 6))).toEqual([true, false, true])
})

it('takes no more memory when the same addresses change again', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const readHeap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const addresses = Array.from({ length: 1000 }, (_, index) => `0x${index}`)
  const latest = new LatestChanges()
  latest.add(addresses, 1)
  const before = readHeap()
  for (let block = 2; block <= 1000; block++) {
    latest.add(addresses, block)
  }
  expect(readHeap() - before).toBeLessThan(10 * 2 ** 20)
  expect(latest.hasChanged(addresses, 999)).toBe(true)
})
