import type { SnapshotStream } from '@headwater/core'
import type { Subscription } from 'rxjs'

/** For how many milliseconds an answer is kept up to date for a component that was suspended and is not mounted yet. */
const longestHold = 10_000
/** For how many milliseconds a failure of what was asked for again is shown at least. */
const patience = 1000
/** For how many milliseconds React leaves a fallback on the page at least; meanwhile it renders whatever comes, and drops it. */
const throttle = 300

/** Keeps a stream going in the place of a component that is suspended: React does not mount it, so it cannot. */
interface Hold {
  /** Resolves when there is an answer or an error. */
  readonly settled: Promise<void>
  isSettled: boolean
  readonly subscription: Subscription
}

const holds = new WeakMap<object, Hold>()

/** Errors that were thrown to an error boundary, by whether it may have been reset since. */
const thrown = new WeakMap<object, boolean>()

/**
 * Asks for the first answer of a stream, or for another one after an error, or joins what does so already.
 *
 * @param stream - The stream; kept going until {@link release}.
 * @returns Resolves when an answer or an error is in the snapshot; the same promise until then. A stream that will never
 *   have one, as its client was destroyed, is awaited for ever.
 */
export function waitForSnapshot(stream: SnapshotStream<unknown>): Promise<void> {
  const before = holds.get(stream)
  if (before && !before.isSettled) return before.settled
  const isAgain = stream.getSnapshot().status === 'error'
  const askedAt = Date.now()
  let settle = () => {}
  const answered = new Promise<void>((resolve) => (settle = resolve))
  const subscription = stream.subscribe(({ status }) => {
    if (status !== 'pending' && !isAgain) settle()
  })
  if (isAgain) void stream.getSnapshot().refetch().then(settle)
  const settled = answered.then(() => {
    hold.isSettled = true
    const timer = setTimeout(() => subscription.unsubscribe(), longestHold)
    subscription.add(() => clearTimeout(timer))
    const { error } = stream.getSnapshot()
    // Patient, else a boundary that resets itself would ask without end.
    if (error) remember(error, isAgain ? patience : askedAt + throttle - Date.now())
  })
  const hold: Hold = { settled, isSettled: false, subscription }
  holds.set(stream, hold)
  before?.subscription.unsubscribe()
  return settled
}

/** Whether a stream is asked for a first answer, or for another one after an error. */
export function isAwaited(stream: SnapshotStream<unknown>): boolean {
  return holds.get(stream)?.isSettled === false
}

/** Leaves a stream to a component that is mounted and keeps it going itself. */
export function release(stream: SnapshotStream<unknown>): void {
  holds.get(stream)?.subscription.unsubscribe()
  holds.delete(stream)
}

/**
 * Whether an error was thrown before, and React has shown it: what renders then does so because the error boundary was
 * reset. Until then React may render several times, and pause in between.
 */
export function wasThrown(error: object): boolean {
  if (!thrown.has(error)) remember(error, 0)
  return thrown.get(error) === true
}

function remember(error: object, wait: number): void {
  thrown.set(error, false)
  const whenIdle = globalThis.requestIdleCallback ?? setTimeout
  setTimeout(() => whenIdle(() => thrown.set(error, true)), wait)
}
