import { install } from '@sinonjs/fake-timers'

/** Time that goes by when it is told to. */
export interface FakeTime {
  /** Lets time go by, from one timer to the next, each with all that follows from it. */
  readonly pass: (milliseconds: number) => Promise<void>
  /**
   * Goes back to the real time.
   *
   * @returns The timers that were still to go off.
   */
  readonly end: () => string[]
}

/** What happens in a turn may begin something, whose end is to be seen as well. */
const turns = 4

/**
 * Takes the place of the timers and the clock. Frameworks keep their own ways of scheduling.
 *
 * @param settle - Waits for what takes real time, while none goes by here.
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

/** Resolves in the next turn of the event loop, after what React's scheduler, which goes the same way, has queued. */
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
