import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RateLimit } from './RateLimit.ts'
import { SlowStart } from './SlowStart.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const roundTripMs = 10

/** Sends single requests to a node that responds after some time. */
function createSender(rateLimit = new RateLimit(Infinity)) {
  const slowStart = new SlowStart(rateLimit)
  let sent = 0
  const send = async () => {
    sent++
    await new Promise((resolve) => setTimeout(resolve, roundTripMs))
  }
  const run = (count: number, priority: 'client' | 'index', signal?: AbortSignal) =>
    Array.from({ length: count }, () => slowStart.run(1, { priority, signal }, send))
  return { slowStart, run, sent: () => sent }
}

it('sends twice as many requests of the index in each round, until the node is known to be fast', async () => {
  const { run, sent } = createSender()
  const done = run(3000, 'index')
  await vi.advanceTimersByTimeAsync(0)
  const rounds = [sent()]
  while (sent() < 3000) {
    const before = sent()
    await vi.advanceTimersByTimeAsync(roundTripMs)
    rounds.push(sent() - before)
  }
  await vi.advanceTimersByTimeAsync(roundTripMs)
  await Promise.all(done)
  expect(rounds).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 512, 3000 - 1022])
})

it('sends few requests of the index while clients wait, and those of clients at once', async () => {
  const { run, sent } = createSender()
  const done = run(200, 'index')
  let clients = 0
  for (; clients < 60; clients++) {
    done.push(...run(1, 'client'))
    await vi.advanceTimersByTimeAsync(0)
    expect(sent()).toBe(2 + clients + 1)
    await vi.advanceTimersByTimeAsync(roundTripMs)
  }
  await vi.advanceTimersByTimeAsync(4 * roundTripMs)
  expect(sent()).toBe(2 + clients + 4)
  await vi.advanceTimersByTimeAsync(3000)
  await Promise.all(done)
})

it('ends once the rate limit of the node is known', async () => {
  const rateLimit = new RateLimit(Infinity)
  const { run, sent, slowStart } = createSender(rateLimit)
  const done = run(200, 'index')
  await vi.advanceTimersByTimeAsync(0)
  expect([sent(), slowStart.getMaxBatch()]).toEqual([2, 2])
  rateLimit.restore(50)
  await vi.advanceTimersByTimeAsync(2 * roundTripMs)
  await Promise.all(done)
  expect(slowStart.getMaxBatch()).toBe(Infinity)
})

it('repeats smaller rounds after a rejection', async () => {
  const { run, slowStart } = createSender()
  const done = run(2 + 4 + 8, 'index')
  await vi.advanceTimersByTimeAsync(3 * roundTripMs)
  await Promise.all(done)
  expect(slowStart.getMaxBatch()).toBe(8)
  slowStart.recordRejected()
  expect(slowStart.getMaxBatch()).toBe(4)
})

it('does not send requests whose caller aborts', async () => {
  const { run, sent } = createSender()
  const controller = new AbortController()
  const done = run(2, 'index')
  const aborted = run(100, 'index', controller.signal).map((each) => each.catch(String))
  controller.abort('stopped')
  expect(new Set(await Promise.all(aborted))).toEqual(new Set(['stopped']))
  done.push(...run(1, 'index'))
  await vi.advanceTimersByTimeAsync(2 * roundTripMs)
  await Promise.all(done)
  expect(sent()).toBe(3)
})
