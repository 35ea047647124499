import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { HandmadeChain } from '../testing/HandmadeChain.ts'
import { testAddress } from '../testing/seedChain.ts'
import { startHandmadeNode } from '../testing/startHandmadeNode.ts'
import { ChainNode } from './ChainNode.ts'
import { RateLimit } from './RateLimit.ts'

const never = new AbortController().signal

describe('by the clock', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Takes, and notes when it was let through, in milliseconds since the start. */
  const createTaker = (limit: RateLimit) => {
    const start = performance.now()
    const times: number[] = []
    const take = (count: number, signal = never) =>
      limit.take(count, { signal }).then(() => times.push(performance.now() - start))
    return { take, times }
  }

  it('spaces what is taken, and makes nobody wait after a rest', async () => {
    const { take, times } = createTaker(new RateLimit(40))
    const taken = Promise.all([take(40), take(20), take(1)])
    await vi.advanceTimersByTimeAsync(10_000)
    await taken
    await take(1)
    await vi.advanceTimersByTimeAsync(0)
    expect(times).toEqual([0, 1000, 1500, 10_000])
  })

  it('lets less than one a second through', async () => {
    const limit = new RateLimit(0.1)
    expect(limit.largest).toBe(1)
    const { take, times } = createTaker(limit)
    const taken = Promise.all([take(1), take(1)])
    await vi.advanceTimersByTimeAsync(10_000)
    await taken
    expect(times).toEqual([0, 10_000])
  })

  it('limits nothing where nothing is configured', async () => {
    const { take, times } = createTaker(new RateLimit(Infinity))
    await Promise.all([take(1e6), take(1e6)])
    expect(times).toEqual([0, 0])
  })

  it('gives the place of who gave up to the next', async () => {
    const { take, times } = createTaker(new RateLimit(1))
    const stopper = new AbortController()
    const first = take(1)
    const given = Array.from({ length: 100 }, () => take(1, stopper.signal).catch(String))
    const last = take(1)
    stopper.abort('gave up')
    expect(new Set(await Promise.all(given))).toEqual(new Set(['gave up']))
    await vi.advanceTimersByTimeAsync(1000)
    await Promise.all([first, last])
    expect(times).toEqual([0, 1000])
  })

  it('refuses at once what could only be let through too late, and keeps no place for it', async () => {
    const limit = new RateLimit(1)
    const { take, times } = createTaker(limit)
    await take(3)
    const endsAt = performance.now() + 2000
    await expect(limit.take(1, { endsAt })).rejects.toMatchObject({ kind: 'busy' })
    const next = take(1)
    await vi.advanceTimersByTimeAsync(3000)
    await next
    expect(times).toEqual([0, 3000])
  })
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

it('has the next node asked where a limit leaves no time, and does not blame the node', async () => {
  const nodes = await Promise.all([1, 2].map(() => startHandmadeNode(new HandmadeChain())))
  for (const node of nodes) node.distort = () => '0x1'
  const [limited, other] = nodes.map(({ url }) => url) as [string, string]
  const node = new ChainNode([{ url: limited, requestsPerSecond: 0.01 }, other])
  try {
    const ask = () =>
      node.getNativeBalance(testAddress(1), { number: 0, hash: '0x00' }, { totalMs: 5000 })
    expect(await Promise.all([ask(), ask(), ask()])).toEqual([1n, 1n, 1n])
    expect(nodes.map(({ questions }) => questions.length)).toEqual([1, 2])
    expect(node.stats().map(({ failures, isResting }) => [failures, isResting])).toEqual([
      [0, false],
      [0, false],
    ])
  } finally {
    await Promise.all(nodes.map((each) => each.close()))
  }
})
