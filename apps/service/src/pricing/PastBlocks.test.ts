import { expect, it } from 'vitest'
import { PastBlocks } from './PastBlocks.ts'

/** A chain with blocks 1 to 20,000, the first half of which took 13 seconds and the others 2. */
const timeOf = (number: number) =>
  1_000 + 13 * Math.min(number, 10_000) + 2 * Math.max(0, number - 10_000)

function createBlocks() {
  const requests: number[] = []
  const blocks = new PastBlocks({ startBlock: 1, finalityDepth: 10 }, async (number) => {
    requests.push(number)
    return timeOf(number)
  })
  const headAt = (number: number) => ({ number, hash: `0x${number}`, time: timeOf(number) })
  return { blocks, requests, headAt }
}

it('finds the latest block at or before a time, in few requests', async () => {
  const { blocks, requests, headAt } = createBlocks()
  const head = headAt(20_000)
  for (const number of [1, 2, 777, 9_999, 10_000, 10_001, 19_999]) {
    requests.length = 0
    expect(await blocks.find(timeOf(number), head)).toBe(number)
    expect(await blocks.find(timeOf(number) + 1, head)).toBe(number)
    expect(requests.length).toBeLessThan(32)
  }
  expect(await blocks.find(timeOf(20_000) + 5, head)).toBe(20_000)
  expect(await blocks.find(timeOf(1) - 1, head)).toBeUndefined()
})

it('finds the blocks of the next head in at most three requests', async () => {
  const { blocks, requests, headAt } = createBlocks()
  const hour = 3_600
  await blocks.find(headAt(20_000).time - hour, headAt(20_000))
  for (const number of [20_001, 20_002, 20_006]) {
    requests.length = 0
    const head = headAt(number)
    expect(await blocks.find(head.time - hour, head)).toBe(number - hour / 2)
    expect(requests.length).toBeLessThanOrEqual(3)
  }
})
