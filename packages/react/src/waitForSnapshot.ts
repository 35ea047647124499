import type { Subscription } from 'rxjs'
import type { Snapshot } from '@headwater/core'
import type { ShownStream } from './ShownStream.ts'

/** For how many milliseconds an answer is kept up to date for a component that was suspended and is not mounted yet. */
const longestHold = 10_000
/**
 * For how many milliseconds an error is thrown again, rather than a reason to ask: longer than React takes to show it, which
 * renders it again meanwhile (it leaves a fallback on the page for 0.3 to 0.5 seconds), and than a boundary that resets itself.
 */
const patience = 1000

/** Keeps a stream going in the place of a component that is suspended: React does not mount it, so it cannot. */
interface Hold {
  /** Resolves when there is an answer or an error. */
  readonly settled: Promise<void>
  isSettled: boolean
  readonly subscription: Subscription
}

const holds = new WeakMap<object, Hold>()

/** When an error came, by the clock of `performance`. */
const cameAt = new WeakMap<object, number>()

/**
 * Asks for the first answer of a stream, or for another one after an error, or joins what does so already.
 *
 * @param stream - The stream; kept going until {@link release}.
 * @returns Resolves when an answer or an error is in the snapshot; the same promise until then. A stream that will never
 *   have one, as its client was destroyed, is awaited for ever.
 */
export function waitForSnapshot(stream: ShownStream<Snapshot<unknown>>): Promise<void> {
  const before = holds.get(stream)
  if (before && !before.isSettled) {
    return before.settled
  }
  const isAgain = stream.getSnapshot().status === 'error'
  let settle = () => {}
  const answered = new Promise<void>((resolve) => (settle = resolve))
  const subscription = stream.subscribe(({ status }) => {
    if (status !== 'pending' && !isAgain) {
      settle()
    }
  })
  if (isAgain) {
    void stream.getSnapshot().refetch().then(settle)
  }
  const settled = answered.then(() => {
    hold.isSettled = true
    const timer = setTimeout(() => subscription.unsubscribe(), longestHold)
    subscription.add(() => clearTimeout(timer))
    const { error } = stream.getSnapshot()
    // It may be the same as before, if nothing could be sent.
    if (error) {
      cameAt.set(error, performance.now())
    }
  })
  const hold: Hold = { settled, isSettled: false, subscription }
  holds.set(stream, hold)
  before?.subscription.unsubscribe()
  return settled
}

/** Whether a stream is asked for a first answer, or for another one after an error. */
export function isAwaited(stream: ShownStream<Snapshot<unknown>>): boolean {
  return holds.get(stream)?.isSettled === false
}

/** Leaves a stream to a component that is mounted and keeps it going itself. */
export function release(stream: ShownStream<Snapshot<unknown>>): void {
  holds.get(stream)?.subscription.unsubscribe()
  holds.delete(stream)
}

/** Whether an error came so long ago that what renders it does so because its error boundary was reset. */
export function isPast(error: object): boolean {
  const now = performance.now()
  if (!cameAt.has(error)) {
    cameAt.set(error, now)
  }
  return now - cameAt.get(error)! >= patience
}
