import { install } from '@sinonjs/fake-timers'

/** Fake timers and clocks. */
export interface FakeTime {
  /** Advances the time from timer to timer, and settles after each. */
  readonly pass: (milliseconds: number) => Promise<void>
  /**
   * Restores the real timers.
   *
   * @returns Descriptions of the pending timers.
   */
  readonly end: () => string[]
}

/** Turns of the event loop to wait after each timer, as a turn may start further work. */
const turns = 4

/**
 * Installs fake timers and clocks. The schedulers of frameworks stay real.
 *
 * @param settle - Waits for work that takes real time.
 */
export function createFakeTime(settle: () => Promise<void>): FakeTime {
  const clock = install({
    now: Date.UTC(2026, 0, 1),
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
  })
  const timers = () => [...(clock.timers?.values() ?? [])]
  const nextAt = () => Math.min(...timers().map(({ callAt = Infinity }) => callAt))

  const settleAll = async () => {
    for (let turn = 0; turn < turns; turn++) {
      await nextTurn()
      await settle()
    }
  }

  return {
    async pass(milliseconds) {
      const end = clock.now + milliseconds
      await settleAll()
      while (nextAt() <= end) {
        clock.next()
        await settleAll()
      }
      clock.tick(end - clock.now)
    },
    end() {
      const left = timers()
      clock.uninstall()
      return left.map(({ delay, func }) => `a timer of ${delay} ms: ${func}`)
    },
  }
}

/** Resolves in the next turn of the event loop, after the queued work of React's scheduler, which uses the same API. */
function nextTurn(): Promise<void> {
  if (typeof setImmediate === 'function') {
    return new Promise((resolve) => setImmediate(resolve))
  }
  const { port1, port2 } = new MessageChannel()
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })
}
