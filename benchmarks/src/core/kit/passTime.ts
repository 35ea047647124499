import { mock } from 'node:test'

const step = 100

/** Stops the clock and the timers of this process, which then move only with {@link passTime}. */
export function stopTime(): void {
  mock.timers.enable({ apis: ['setTimeout', 'setInterval', 'Date'], now: Date.now() })
}

/** Lets time pass, in milliseconds, at once; whatever follows of each moment happens before the next one. */
export async function passTime(milliseconds: number): Promise<void> {
  for (let passed = 0; passed < milliseconds; passed += step) {
    mock.timers.tick(step)
    await new Promise(setImmediate)
  }
}
