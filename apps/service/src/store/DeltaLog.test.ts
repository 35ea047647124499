import { expect, it } from 'vitest'
import type { BalanceDelta } from './changes.ts'
import { DeltaLog } from './DeltaLog.ts'

const a = '0xa'
const b = '0xb'
const token = '0x1'

/** A log of a chain with a block per state. */
function createLog(maxSize?: number) {
  const log = new DeltaLog(maxSize)
  const add = (
    block: number,
    amounts: Readonly<Record<string, bigint>>,
    { others = [] as readonly string[], ancestor = undefined as number | undefined } = {},
  ) => {
    const deltas = Object.entries(amounts).map(([holder, amount]): BalanceDelta => ({
      holder,
      token,
      amount,
    }))
    const holders = [...Object.keys(amounts), ...others]
    const keys = { holders, ledgers: [token], contracts: [], pooled: [] }
    const metadataVersions = [0, 0] as const
    const change = { block: { number: block, hash: '' }, keys, deltas, ancestor }
    log.add({ ...change, version: block, metadataVersions }, block)
  }
  /** The amounts of a holder above a block that was published. */
  const find = (holder: string, after: number, upTo = Infinity) =>
    log.find(holder, after, { after, upTo })?.map(({ amount }) => amount)
  return { log, add, find }
}

it('finds the changes of a holder in a range of blocks', () => {
  const { add, find } = createLog()
  add(1, { [a]: 1n, [b]: 5n })
  add(2, { [a]: -2n })
  add(3, { [a]: 3n })
  expect(find(a, 1)).toEqual([-2n, 3n])
  expect(find(a, 1, 2)).toEqual([-2n])
  expect(find(a, 3)).toEqual([])
  expect(find(b, 0)).toEqual([5n])
})

it('does not find those before a change that is not known', () => {
  const { add, find } = createLog()
  add(1, { [a]: 1n })
  add(2, {}, { others: [a] })
  add(3, { [a]: 3n })
  expect(find(a, 1)).toBeUndefined()
  expect(find(a, 2)).toEqual([3n])
})

it('does not find those before a reorg', () => {
  const { log, add, find } = createLog()
  add(1, { [a]: 1n })
  add(2, {}, { ancestor: 0 })
  add(3, { [a]: 3n, [b]: 4n })
  expect(find(a, 1)).toBeUndefined()
  expect(find(b, 1)).toBeUndefined()
  expect(find(a, 2)).toEqual([3n])
  log.clear(4)
  expect(find(a, 2)).toBeUndefined()
})

it('does not find those before removed ones', () => {
  const { add, find } = createLog(5)
  add(1, { [a]: 1n })
  add(2, { [b]: 2n })
  add(3, { [b]: 3n })
  // Those of the other account are removed.
  add(4, { [a]: 4n })
  expect(find(a, 0)).toEqual([1n, 4n])
  expect(find(b, 1)).toBeUndefined()
  add(5, { [b]: 5n })
  expect(find(b, 2)).toBeUndefined()
  expect(find(b, 3)).toEqual([5n])
})

it('finds the latest changes of a holder that each block changes', () => {
  const { add, find } = createLog()
  for (let block = 1; block <= 1000; block++) {
    add(block, { [a]: 1n })
  }
  expect(find(a, 990)).toEqual(Array.from({ length: 10 }, () => 1n))
  expect(find(a, 900)).toBeUndefined()
})
