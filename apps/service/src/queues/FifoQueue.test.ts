import { expect, it } from 'vitest'
import { FifoQueue } from './FifoQueue.ts'

/** A queue with these items, and those whose callers continued, in order. */
function fill(items: readonly number[], signal?: AbortSignal) {
  const queue = new FifoQueue<number>()
  const resumed: number[] = []
  const waiting = items.map((item) => queue.enqueue(item, signal).then(() => resumed.push(item)))
  return { queue, resumed, waiting }
}

it('resumes callers in order', async () => {
  const { queue, resumed, waiting } = fill([1, 2, 3])
  expect([queue.first, queue.length]).toEqual([1, 3])
  expect([queue.dequeue(), queue.dequeue(), queue.dequeue(), queue.dequeue()]).toEqual([
    1,
    2,
    3,
    undefined,
  ])
  expect(queue.length).toBe(0)
  await Promise.all(waiting)
  expect(resumed).toEqual([1, 2, 3])
})

it('removes a caller that aborts', async () => {
  const controller = new AbortController()
  const { queue, waiting } = fill([1], controller.signal)
  const last = queue.enqueue(2)
  controller.abort(new Error('stopped'))
  await expect(waiting[0]).rejects.toThrow('stopped')
  await expect(queue.enqueue(3, controller.signal)).rejects.toThrow('stopped')
  expect(queue.dequeue()).toBe(2)
  await last
  expect(queue.length).toBe(0)
})
