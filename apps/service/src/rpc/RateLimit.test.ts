import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { HandmadeChain } from '../testing/HandmadeChain.ts'
import { startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { ChainNode } from './ChainNode.ts'
import { RateLimit } from './RateLimit.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

it('spaces what is taken, and makes nobody wait after a rest', () => {
  const limit = new RateLimit(40)
  expect([limit.reserve(40), limit.reserve(20), limit.reserve(1)]).toEqual([0, 1000, 1500])
  vi.advanceTimersByTime(10_000)
  expect([limit.reserve(1), limit.reserve(1)]).toEqual([0, 25])
})

it('lets less than one a second through', () => {
  const limit = new RateLimit(0.1)
  expect(limit.largest).toBe(1)
  expect([limit.reserve(1), limit.reserve(1)]).toEqual([0, 10_000])
})

it('limits nothing where nothing is configured', () => {
  const limit = new RateLimit(Infinity)
  expect([limit.reserve(1e6), limit.reserve(1e6)]).toEqual([0, 0])
})

it('counts each question of a batch, which is no larger than a second allows', async () => {
  const server = await startHandmadeNode(new HandmadeChain())
  for (let block = 0; block < 50; block++) server.chain.mine([])
  const node = new ChainNode([{ url: server.url, requestsPerSecond: 200 }])
  const slow = new ChainNode([{ url: server.url, requestsPerSecond: 40 }])
  try {
    await node.getHeaders(1, 50)
    expect(server.requests).toBe(1)
    await slow.getHeaders(1, 50)
    expect(server.requests).toBe(3)
  } finally {
    await server.close()
  }
})
