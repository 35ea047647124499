import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { HostQueue } from './HostQueue.ts'

const { signal } = new AbortController()

/** Requests permission for a task, and records whether it started. */
function request(
  queue: HostQueue,
  host: string,
  options: { maxPerHost?: number; owner?: string; signal?: AbortSignal } = {},
) {
  const task = { isRunning: false, end: () => {}, failure: undefined as unknown }
  queue.acquire({ host, ...options }, options.signal ?? signal).then(
    (end) => Object.assign(task, { isRunning: true, end }),
    (failure: unknown) => Object.assign(task, { failure }),
  )
  return task
}

it('limits the concurrent tasks of a host and in total', async () => {
  const queue = new HostQueue({ maxConcurrent: 3, maxPerHost: 2, maxPerOwner: 9, maxQueued: 10 })
  const tasks = ['a', 'a', 'a', 'b', 'b'].map((host) => request(queue, host))
  await setImmediate()
  expect(tasks.map(({ isRunning }) => isRunning)).toEqual([true, true, false, true, false])
  tasks[3]?.end()
  await setImmediate()
  // The first one in the queue is of a host at its limit, so the next one starts.
  expect(tasks.map(({ isRunning }) => isRunning)).toEqual([true, true, false, true, true])
  tasks[0]?.end()
  await setImmediate()
  expect(tasks[2]?.isRunning).toBe(true)
})

it('rejects requests when the queue is full', async () => {
  const queue = new HostQueue({ maxConcurrent: 1, maxPerHost: 1, maxPerOwner: 9, maxQueued: 1 })
  const [first, second, third] = ['a', 'a', 'a'].map((host) => request(queue, host))
  await setImmediate()
  expect(third?.failure).toMatchObject({ kind: 'busy', retryable: true })
  first?.end()
  await setImmediate()
  expect(second?.isRunning).toBe(true)
})

it('removes aborted requests from the queue', async () => {
  const queue = new HostQueue({ maxConcurrent: 1, maxPerHost: 1, maxPerOwner: 9, maxQueued: 1 })
  const first = request(queue, 'a')
  const controller = new AbortController()
  const second = request(queue, 'a', { signal: controller.signal })
  controller.abort(new Error('enough'))
  await setImmediate()
  expect(second.failure).toMatchObject({ message: 'enough' })
  const third = request(queue, 'a')
  first.end()
  await setImmediate()
  expect(third.isRunning).toBe(true)
})

it('limits an owner to half of the queue', async () => {
  const queue = new HostQueue({ maxConcurrent: 1, maxPerHost: 1, maxPerOwner: 1, maxQueued: 4 })
  const tasks = ['a', 'a', 'a', 'a', 'b', 'b', 'c'].map((owner) =>
    request(queue, 'gateway', { owner }),
  )
  await setImmediate()
  const isRejected = tasks.map(({ failure }) => failure !== undefined)
  expect(isRejected).toEqual([false, false, false, true, false, false, true])
})

it('applies the limit of a request to its host', async () => {
  const queue = new HostQueue({ maxConcurrent: 9, maxPerHost: 1, maxPerOwner: 9, maxQueued: 10 })
  const tasks = Array.from({ length: 4 }, () => request(queue, 'gateway', { maxPerHost: 3 }))
  await setImmediate()
  expect(tasks.map(({ isRunning }) => isRunning)).toEqual([true, true, true, false])
})

it('limits the tasks of an owner, and starts those of the owner with the fewest first', async () => {
  const queue = new HostQueue({ maxConcurrent: 4, maxPerHost: 4, maxPerOwner: 3, maxQueued: 10 })
  const greedy = Array.from({ length: 5 }, () => request(queue, 'gateway', { owner: 'greedy' }))
  const [first, second, third] = ['other', 'other', 'third'].map((owner) =>
    request(queue, 'gateway', { owner }),
  )
  await setImmediate()
  expect(greedy.map(({ isRunning }) => isRunning)).toEqual([true, true, true, false, false])
  expect([first?.isRunning, second?.isRunning, third?.isRunning]).toEqual([true, false, false])
  greedy[0]?.end()
  await setImmediate()
  expect([greedy[3]?.isRunning, second?.isRunning, third?.isRunning]).toEqual([false, false, true])
  greedy[1]?.end()
  await setImmediate()
  // Both have one running task, so the order of the queue decides.
  expect([greedy[3]?.isRunning, second?.isRunning]).toEqual([true, false])
})
