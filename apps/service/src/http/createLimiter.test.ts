import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createLimiter } from './createLimiter.ts'

it('limits concurrent work in the order of its arrival, and rejects work when the queue is full', async () => {
  const limit = createLimiter({ working: 2, waiting: 3 })
  let working = 0
  let maximum = 0
  const done: number[] = []
  const work = (number: number) =>
    limit(async () => {
      maximum = Math.max(maximum, ++working)
      await delay(1)
      working--
      done.push(number)
      return number
    })
  const outcomes = await Promise.allSettled([1, 2, 3, 4, 5, 6, 7].map(work))
  expect(outcomes.map((outcome) => outcome.status)).toEqual([
    ...Array<string>(5).fill('fulfilled'),
    ...Array<string>(2).fill('rejected'),
  ])
  expect(outcomes[6]).toMatchObject({
    reason: { status: 503, code: 'SERVICE_BUSY', retryAfterSeconds: 1 },
  })
  expect(maximum).toBe(2)
  expect(done).toEqual([1, 2, 3, 4, 5])
  expect(await work(8)).toBe(8)
})

it('continues with the next work after a failure', async () => {
  const limit = createLimiter({ working: 1, waiting: 1 })
  const failing = limit(() => Promise.reject(new Error('failed')))
  const next = limit(() => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('failed')
  expect(await next).toBe('done')
  expect(await limit(() => Promise.resolve('again'))).toBe('again')
})
