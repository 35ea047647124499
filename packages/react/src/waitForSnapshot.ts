import type { Subscription } from 'rxjs'
import type { Snapshot } from '@headwater/core'
import type { SnapshotSource } from './useSnapshot.ts'

/** How long a stream stays subscribed, in milliseconds, for a component that was suspended and is not mounted yet. */
const mountTimeoutMs = 10_000
/**
 * How long an error is thrown again, in milliseconds, before a render causes another request. Longer than React takes to
 * display the error, as it renders the component again meanwhile (it keeps a fallback for 0.3 to 0.5 seconds), and longer
 * than the interval of a boundary that resets itself.
 */
const errorResetWindowMs = 1000

/** The subscription of a component that is suspended: React does not mount it, so its effects cannot subscribe. */
interface SuspendedSubscription {
  /** Resolves when there is a response or an error. */
  readonly settled: Promise<void>
  isSettled: boolean
  readonly subscription: Subscription
}

const suspensions = new WeakMap<object, SuspendedSubscription>()

/** When an error occurred, by `performance.now()`. */
const erroredAt = new WeakMap<object, number>()

/**
 * Requests the first response of a stream, or another one after an error; joins a request that is in flight.
 *
 * @param stream - The stream; stays subscribed until {@link release}.
 * @returns Resolves when the snapshot has a response or an error; the same promise until then. It never resolves for a
 *   stream whose client was destroyed.
 */
export function waitForSnapshot(stream: SnapshotSource<Snapshot<unknown>>): Promise<void> {
  const before = suspensions.get(stream)
  if (before && !before.isSettled) {
    return before.settled
  }
  const isRefetch = stream.getSnapshot().status === 'error'
  let settle = () => {}
  const responded = new Promise<void>((resolve) => (settle = resolve))
  const subscription = stream.subscribe(({ status }) => {
    if (status !== 'pending' && !isRefetch) {
      settle()
    }
  })
  if (isRefetch) {
    void stream.getSnapshot().refetch().then(settle)
  }
  const settled = responded.then(() => {
    suspended.isSettled = true
    const timer = setTimeout(() => subscription.unsubscribe(), mountTimeoutMs)
    subscription.add(() => clearTimeout(timer))
    const { error } = stream.getSnapshot()
    // The error may be the same object as before, if no request could be sent.
    if (error) {
      erroredAt.set(error, performance.now())
    }
  })
  const suspended: SuspendedSubscription = { settled, isSettled: false, subscription }
  suspensions.set(stream, suspended)
  before?.subscription.unsubscribe()
  return settled
}

/** Whether the first request of a stream, or one after an error, is in flight. */
export function isAwaited(stream: SnapshotSource<Snapshot<unknown>>): boolean {
  return suspensions.get(stream)?.isSettled === false
}

/** Ends the subscription for a suspended component: it is mounted now and has its own. */
export function release(stream: SnapshotSource<Snapshot<unknown>>): void {
  suspensions.get(stream)?.subscription.unsubscribe()
  suspensions.delete(stream)
}

/** Whether an error is so old that the component renders again because its error boundary was reset. */
export function isStaleError(error: object): boolean {
  const now = performance.now()
  if (!erroredAt.has(error)) {
    erroredAt.set(error, now)
  }
  return now - erroredAt.get(error)! >= errorResetWindowMs
}
