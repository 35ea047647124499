import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { memoizeAsync } from './memoizeAsync.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

it('reads at most once per second, and shares results and failures among all callers', async () => {
  let readings = 0
  const read = memoizeAsync(() => {
    readings += 1
    return readings === 2 ? Promise.reject(new Error('unavailable')) : Promise.resolve(readings)
  })
  expect(await Promise.all([read(), read()])).toEqual([1, 1])
  vi.advanceTimersByTime(999)
  expect(await read()).toBe(1)
  vi.advanceTimersByTime(1)
  const failed = await Promise.allSettled([read(), read()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await expect(read()).rejects.toThrow('unavailable')
  vi.advanceTimersByTime(1000)
  expect(await read()).toBe(3)
})

it('does not start another read while one runs', async () => {
  let readings = 0
  let end: (value: number) => void = () => {}
  const read = memoizeAsync(() => {
    readings += 1
    return new Promise<number>((resolve) => (end = resolve))
  })
  const first = read()
  vi.advanceTimersByTime(60_000)
  const second = read()
  end(7)
  expect(await Promise.all([first, second])).toEqual([7, 7])
  expect(readings).toBe(1)
})
