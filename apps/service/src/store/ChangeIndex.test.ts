import { expect, it } from 'vitest'
import { LatestChanges } from './ChangeIndex.ts'

it('removes the addresses that changed first above its limit, and counts them as changed until then', () => {
  const latest = new LatestChanges(2)
  latest.add(['a', 'b'], 1)
  latest.add(['a'], 2)
  latest.add(['c'], 3)
  // That of b was removed.
  expect(latest.floor).toBe(1)
  expect(['a', 'b', 'c', 'd'].map((each) => latest.hasChanged([each], 1))).toEqual([
    ...[true, false, true, false],
  ])
  latest.add(['d', 'e'], 4)
  expect(latest.floor).toBe(3)
  expect(['a', 'b', 'c'].map((each) => latest.hasChanged([each], 2))).toEqual([true, true, true])
  expect(['a', 'd'].map((each) => latest.hasChanged([each], 3))).toEqual([false, true])
})

it('counts all addresses as changed at a sequence, and those that are added afterwards', () => {
  const latest = new LatestChanges(2)
  latest.add(['a', 'b', 'c'], 1)
  latest.addAll(5)
  latest.add(['a', 'b'], 6)
  latest.add(['c', 'a'], 7)
  expect(latest.floor).toBe(6)
  expect(['a', 'c', 'd'].map((each) => latest.hasChanged([each], 5))).toEqual([true, true, true])
  expect(['a', 'b', 'c'].map((each) => latest.hasChanged([each], 6))).toEqual([true, false, true])
})
