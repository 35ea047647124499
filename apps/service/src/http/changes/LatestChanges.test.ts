import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { LatestChanges } from './LatestChanges.ts'

it('removes the older half of the addresses above its limit, and states until when', () => {
  const latest = new LatestChanges(4)
  latest.add(['a', 'b'], 1)
  latest.add(['a'], 2)
  latest.add(['c'], 3)
  expect(latest.floor).toBe(0)
  const selectChanged = (addresses: readonly string[], since: number) =>
    addresses.filter((each) => latest.hasChanged(each, since))
  expect(selectChanged(['a', 'b', 'c', 'd'], 1)).toEqual(['a', 'c'])
  latest.add(['d', 'e'], 4)
  // Those of a and b were removed.
  expect(latest.floor).toBe(2)
  expect(selectChanged(['c', 'd', 'e'], 3)).toEqual(['d', 'e'])
})

it('takes no more memory when the same addresses change again', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const readHeap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const addresses = Array.from({ length: 1000 }, (_, index) => `0x${index}`)
  const latest = new LatestChanges(200_000)
  latest.add(addresses, 1)
  const before = readHeap()
  for (let block = 2; block <= 1000; block++) {
    latest.add(addresses, block)
  }
  expect(readHeap() - before).toBeLessThan(10 * 2 ** 20)
  expect(addresses.every((each) => latest.hasChanged(each, 999))).toBe(true)
})
