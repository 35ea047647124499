import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { Semaphore } from './Semaphore.ts'

it('runs no more tasks at once than it has permits, in order', async () => {
  const semaphore = new Semaphore(2)
  const started: number[] = []
  const gates = [0, 1, 2, 3].map(() => Promise.withResolvers<void>())
  const tasks = gates.map(({ promise }, index) =>
    semaphore.run(() => {
      started.push(index)
      return promise
    }),
  )
  expect([started, semaphore.isFree, semaphore.pendingCount]).toEqual([[0, 1], false, 2])
  gates[1]?.resolve()
  await setImmediate()
  expect([started, semaphore.pendingCount]).toEqual([[0, 1, 2], 1])
  gates.forEach(({ resolve }) => resolve())
  await Promise.all(tasks)
  expect([started, semaphore.isFree]).toEqual([[0, 1, 2, 3], true])
})

it('returns the permit of a task that fails or is aborted while it waits', async () => {
  const semaphore = new Semaphore(1)
  const controller = new AbortController()
  const failing = semaphore.run(() => Promise.reject(new Error('failed')))
  const aborted = semaphore.run(() => Promise.resolve('ran'), controller.signal)
  controller.abort(new Error('stopped'))
  await expect(failing).rejects.toThrow('failed')
  await expect(aborted).rejects.toThrow('stopped')
  expect(semaphore.isFree).toBe(true)
})
