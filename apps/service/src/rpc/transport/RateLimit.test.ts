import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FakeChain } from '../../../test/FakeChain.ts'
import { testAddress } from '../../../test/seedChain.ts'
import { startFakeNode } from '../../../test/startFakeNode.ts'
import { ChainNode } from '../ChainNode.ts'
import { RateLimit } from './RateLimit.ts'

const never = new AbortController().signal

describe('RateLimit', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** Records when calls of `acquire` resolve, in milliseconds since the start. */
  const recordAcquires = (limit: RateLimit) => {
    const start = performance.now()
    const times: number[] = []
    const acquire = (count: number, signal = never) =>
      limit.acquire(count, { signal }).then(() => times.push(performance.now() - start))
    return { acquire, times }
  }

  it('spaces requests, and admits one at once after a pause', async () => {
    const { acquire, times } = recordAcquires(new RateLimit(40))
    const acquired = Promise.all([acquire(40), acquire(20), acquire(1)])
    await vi.advanceTimersByTimeAsync(10_000)
    await acquired
    await acquire(1)
    await vi.advanceTimersByTimeAsync(0)
    expect(times).toEqual([0, 1000, 1500, 10_000])
  })

  it('supports less than one request per second', async () => {
    const limit = new RateLimit(0.1)
    expect(limit.maxBurst).toBe(1)
    const { acquire, times } = recordAcquires(limit)
    const acquired = Promise.all([acquire(1), acquire(1)])
    await vi.advanceTimersByTimeAsync(10_000)
    await acquired
    expect(times).toEqual([0, 10_000])
  })

  it('does not limit by default', async () => {
    const { acquire, times } = recordAcquires(new RateLimit(Infinity))
    await Promise.all([acquire(1e6), acquire(1e6)])
    expect(times).toEqual([0, 0])
  })

  it('skips callers that abort', async () => {
    const limit = new RateLimit(1)
    const { acquire, times } = recordAcquires(limit)
    const controller = new AbortController()
    const first = acquire(1)
    const aborted = Array.from({ length: 100 }, () => acquire(1, controller.signal).catch(String))
    const last = acquire(1)
    controller.abort('stopped')
    expect(new Set(await Promise.all(aborted))).toEqual(new Set(['stopped']))
    const next = limit.acquire(1, { priority: 'index', endsAt: performance.now() + 2000 })
    await vi.advanceTimersByTimeAsync(2000)
    await Promise.all([first, last, next])
    expect(times).toEqual([0, 1000])
  })

  it('admits requests with a deadline before the others', async () => {
    const limit = new RateLimit(1)
    const { acquire, times } = recordAcquires(limit)
    const admitted: string[] = []
    const waits = [
      acquire(1),
      ...[1, 2].map(() => acquire(1).then(() => admitted.push('background'))),
      limit
        .acquire(1, { endsAt: performance.now() + 1500 })
        .then(() => admitted.push('with a deadline')),
    ]
    await vi.advanceTimersByTimeAsync(3000)
    await Promise.all(waits)
    expect(times).toEqual([0, 2000, 3000])
    expect(admitted).toEqual(['with a deadline', 'background', 'background'])
  })

  it('admits one request without a deadline after three others', async () => {
    const limit = new RateLimit(1)
    const admitted: string[] = []
    const acquire = (name: string, endsAt?: number) =>
      limit.acquire(1, { endsAt }).then(
        () => admitted.push(name),
        () => admitted.push(`rejected ${name}`),
      )
    const endsAt = performance.now() + 8000
    const waits = [
      acquire('first'),
      ...['a', 'b'].map((name) => acquire(name)),
      ...['1', '2', '3', '4', '5', '6', '7', '8'].map((name) => acquire(name, endsAt)),
    ]
    await vi.advanceTimersByTimeAsync(20_000)
    await Promise.all(waits)
    const order = ['1', '2', '3', 'a', '4', '5', '6', 'b']
    expect(admitted).toEqual(['first', 'rejected 7', 'rejected 8', ...order])
  })

  it('shares the rate by the number of requests, so that small ones do not wait for batches', async () => {
    const limit = new RateLimit(40)
    const admitted = { client: 0, search: 0, index: 0 }
    const stopped = new AbortController()
    /** Sends one request, or batch of requests, after another. */
    const send = async (priority: keyof typeof admitted, count: number) => {
      while (!stopped.signal.aborted) {
        await limit.acquire(count, { priority })
        admitted[priority] += count
      }
    }
    const senders = [
      ...Array.from({ length: 3 }, () => send('index', limit.maxBurst)),
      ...Array.from({ length: 3 }, () => send('search', 1)),
    ]
    await vi.advanceTimersByTimeAsync(30_000)
    expect(admitted.search / admitted.index).toBeCloseTo(2, 0)
    const before = { ...admitted }
    senders.push(...Array.from({ length: 3 }, () => send('client', 1)))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(admitted.client / (admitted.search - before.search)).toBeCloseTo(3 / 2, 0)
    expect(admitted.client / (admitted.index - before.index)).toBeCloseTo(3, 0)
    stopped.abort()
    await vi.advanceTimersByTimeAsync(10_000)
    await Promise.all(senders)
  })

  it('pauses after a rejection, and keeps the rate while few requests are rejected', async () => {
    const limit = new RateLimit(Infinity)
    for (let request = 1; request <= 600; request++) {
      const acquired = limit.acquire(1)
      await vi.advanceTimersByTimeAsync(300)
      await acquired
      if (request % 15 === 0) {
        limit.recordRejected(1)
      } else {
        limit.recordAccepted(1)
      }
    }
    expect(limit.perSecond).toBe(Infinity)
    await vi.advanceTimersByTimeAsync(1000)
    limit.recordRejected(1, 100)
    const { acquire, times } = recordAcquires(limit)
    const acquired = acquire(1)
    await vi.advanceTimersByTimeAsync(200)
    await acquired
    expect(times).toEqual([100])
  })

  it('recovers after a node rejected all requests', async () => {
    const limit = new RateLimit(Infinity)
    const send = async (record: () => void) => {
      const acquired = limit.acquire(1).then(record)
      await vi.advanceTimersByTimeAsync(200)
      await acquired
    }
    for (let request = 0; request < 100; request++) {
      await send(() => void limit.recordRejected(1, 0))
    }
    expect(limit.perSecond).toBe(5)
    for (let request = 0; request < 1000; request++) {
      await send(() => void limit.recordAccepted(1))
    }
    expect(limit.perSecond).toBeGreaterThan(200)
  })

  it('finds the limit of a node by its rejections', async () => {
    const limit = new RateLimit(Infinity)
    /** Sends 200 requests per second for a minute to a node that accepts 50. */
    const run = async () => {
      let rejected = 0
      let served = 0
      for (let second = 0; second < 60; second++) {
        let sent = 0
        const onAdmitted = () => {
          sent++
          if (sent > 50) {
            rejected++
            limit.recordRejected(1, 100)
          } else {
            served++
            limit.recordAccepted(1)
          }
        }
        for (let request = 0; request < 200; request++) {
          const endsAt = performance.now() + 990
          limit.acquire(1, { endsAt }).then(onAdmitted, () => {})
        }
        await vi.advanceTimersByTimeAsync(1000)
      }
      return { rejected, served }
    }
    await run()
    const { rejected, served } = await run()
    expect(served).toBeGreaterThan(60 * 40)
    expect(rejected).toBeLessThan(served / 10)
  })

  it('rejects at once when the deadline would pass first, without using up the limit', async () => {
    const limit = new RateLimit(1)
    const { acquire, times } = recordAcquires(limit)
    await acquire(3)
    const endsAt = performance.now() + 2000
    await expect(limit.acquire(1, { endsAt })).rejects.toMatchObject({ kind: 'busy' })
    const next = acquire(1)
    await vi.advanceTimersByTimeAsync(3000)
    await next
    expect(times).toEqual([0, 3000])
  })
})

it('limits batches to a quarter of the requests of one second', async () => {
  const server = await startFakeNode(new FakeChain())
  for (let block = 0; block < 50; block++) {
    server.chain.mine([])
  }
  const controller = new AbortController()
  try {
    await new ChainNode([{ url: server.url, requestsPerSecond: 200 }]).getHeaders(1, 50)
    expect(server.httpRequests).toBe(1)
    const slow = new ChainNode([{ url: server.url, requestsPerSecond: 40 }])
    server.transformResult = (_, __, result) => {
      controller.abort(new Error('stopped'))
      return result
    }
    await expect(slow.getHeaders(1, 50, controller.signal)).rejects.toThrow('stopped')
    await expect.poll(() => server.rpcRequests.length).toBe(50 + 10)
    expect(server.httpRequests).toBe(2)
  } finally {
    await server.close()
  }
})

it('prefers the next node when a limit leaves no time, and does not count a failure', async () => {
  const nodes = await Promise.all([1, 2].map(() => startFakeNode(new FakeChain())))
  for (const node of nodes) {
    node.transformResult = () => '0x1'
  }
  const [limited, other] = nodes.map(({ url }) => url) as [string, string]
  const node = new ChainNode([{ url: limited, requestsPerSecond: 0.01 }, other])
  try {
    // At different blocks, as those at the same block are one request.
    const getBalance = (number: number) =>
      node.getNativeBalance(testAddress(1), { number, hash: `0x0${number}` }, { timeoutMs: 5000 })
    expect(await Promise.all([1, 2, 3].map(getBalance))).toEqual([1n, 1n, 1n])
    expect(nodes.map(({ rpcRequests }) => rpcRequests.length)).toEqual([1, 2])
    expect(node.stats().map(({ failures, isCoolingDown }) => [failures, isCoolingDown])).toEqual([
      [0, false],
      [0, false],
    ])
  } finally {
    await Promise.all(nodes.map((each) => each.close()))
  }
})
