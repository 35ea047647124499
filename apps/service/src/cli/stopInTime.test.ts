import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { stopInTime } from './stopInTime.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
})

it('ends a process that has not stopped in time, as its database never responds', () => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const stop = new AbortController()
  void stopInTime(() => new Promise(() => {}), stop.signal, 5_000)
  stop.abort()
  vi.advanceTimersByTime(4_999)
  expect(exit).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(exit).toHaveBeenCalledWith(1)
  expect(write).toHaveBeenCalledWith(
    'headwater: not stopped after 5 s, as the database or a pooler does not respond: ended\n',
  )
})

it('does not end a process whose service has stopped', async () => {
  const stop = new AbortController()
  const stopping = Promise.withResolvers<void>()
  const stopped = stopInTime(() => stopping.promise, stop.signal, 5_000)
  stop.abort()
  stopping.resolve()
  await stopped
  expect(vi.getTimerCount()).toBe(0)
})
