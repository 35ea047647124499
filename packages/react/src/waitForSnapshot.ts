import type { Snapshot, SnapshotReader } from '@headwater/core'

type Source = SnapshotReader<Snapshot<unknown>>['source']

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
  readonly unsubscribe: () => void
}

const suspensions = new WeakMap<object, SuspendedSubscription>()

/** When an error occurred, by `performance.now()`. */
const erroredAt = new WeakMap<object, number>()

/** Whether the runtime is a server: it has no `window`, as in core. */
const isServer = () => (globalThis as { window?: unknown }).window === undefined

/**
 * Requests the first response of a stream, or another one after an error; joins a request that is in flight.
 *
 * @param source - The source of the stream, the same object for any `select`; stays subscribed until {@link release}.
 * @returns Resolves when the snapshot has a response or an error; the same promise until then. It never resolves if the
 *   client is destroyed meanwhile.
 */
export function waitForSnapshot(source: Source): Promise<void> {
  const before = suspensions.get(source)
  if (before && !before.isSettled) {
    return before.settled
  }
  const isRefetch = source.read().status === 'error'
  let settle = () => {}
  const responded = new Promise<void>((resolve) => (settle = resolve))
  const settleWithResponse = () => {
    if (source.read().status !== 'pending' && !isRefetch) {
      settle()
    }
  }
  let leave = () => {}
  let isLeft = false
  // After the render, as a request updates other components that display the stream.
  queueMicrotask(() => {
    if (isLeft) {
      return settle()
    }
    leave = source.subscribe(settleWithResponse)
    settleWithResponse()
    if (isRefetch) {
      void source.read().refetch().then(settle)
    }
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const unsubscribe = () => {
    clearTimeout(timer)
    isLeft = true
    leave()
  }
  const settled = responded.then(() => {
    suspended.isSettled = true
    const { error } = source.read()
    if (suspensions.get(source) === suspended) {
      // A server mounts nothing, and renders the response from the cache. An error is not cached.
      const isCachedOnServer = isServer() && !error
      timer = setTimeout(unsubscribe, isCachedOnServer ? 0 : mountTimeoutMs)
    }
    // The error may be the same object as before, if no request could be sent.
    if (error) {
      erroredAt.set(error, performance.now())
    }
  })
  const suspended: SuspendedSubscription = { settled, isSettled: false, unsubscribe }
  suspensions.set(source, suspended)
  before?.unsubscribe()
  return settled
}

/** Whether the first request of a stream, or one after an error, is in flight. */
export function isAwaited(source: Source): boolean {
  return suspensions.get(source)?.isSettled === false
}

/** Ends the subscription for a suspended component: it is mounted now and has its own. */
export function release(source: Source): void {
  suspensions.get(source)?.unsubscribe()
  suspensions.delete(source)
}

/** Whether an error is so old that the component renders again because its error boundary was reset. */
export function isStaleError(error: object): boolean {
  const now = performance.now()
  if (!erroredAt.has(error)) {
    erroredAt.set(error, now)
  }
  return now - erroredAt.get(error)! >= errorResetWindowMs
}
