import { expect, it, onTestFinished, vi } from 'vitest'
import { createStopSignal } from './createStopSignal.ts'

it('ends a process that has not stopped in time, as its database never responds', () => {
  vi.useFakeTimers()
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const before = process.listeners('SIGTERM')
  const signal = createStopSignal(5_000)
  const [stop] = process.listeners('SIGTERM').filter((listener) => !before.includes(listener))
  onTestFinished(() => {
    for (const name of ['SIGINT', 'SIGTERM', 'disconnect']) {
      process.removeListener(name, stop as () => void)
    }
    vi.useRealTimers()
    vi.restoreAllMocks()
  })
  stop?.('SIGTERM')
  expect(signal.aborted).toBe(true)
  vi.advanceTimersByTime(4_999)
  expect(exit).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(exit).toHaveBeenCalledWith(1)
  expect(write).toHaveBeenCalledWith(
    'headwater: not stopped after 5 s, as the database or a pooler does not respond: ended\n',
  )
})
