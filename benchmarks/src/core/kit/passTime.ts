import { mock } from 'node:test'

const step = 100

/** Mocks the clock and the timers of this process, which then advance only by {@link passTime}. */
export function stopTime(): void {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.now() })
}

/** Advances the mocked time by milliseconds, and settles pending promises after each step. */
export async function passTime(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += step) {
    mock.timers.tick(step)
    await new Promise(setImmediate)
  }
}
