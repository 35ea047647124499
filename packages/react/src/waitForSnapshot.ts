import * as React from 'react'
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
/**
 * How often a promise is thrown before it is passed to `use`, which ends a loop: if two boundaries suspend in two updates
 * within milliseconds, React 19 renders both all the time until a response (https://github.com/react/react/issues/37556).
 * More often than many components of one stream need. Not the first time, as tests that do not await `act` would never
 * render the data.
 */
const maxThrows = 1000

/** React 18 has no `use`. Bundlers warn of a missing export, but not of one that is read by reflection. */
const suspend = Reflect.get(React, 'use') as ((promise: Promise<void>) => void) | undefined

const suspensions = new WeakMap<object, Suspension>()

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
    if (++before.throws > maxThrows) {
      suspend?.(before.settled)
    }
    return before.settled
  }
  const suspension = new Suspension(source)
  suspensions.set(source, suspension)
  before?.unsubscribe()
  return suspension.settled
}

/** The subscription of a component that is suspended: React does not mount it, so its effects cannot subscribe. */
class Suspension {
  isSettled = false
  throws = 1
  /** Resolves when there is a response or an error. */
  readonly settled: Promise<void>
  readonly #source: Source
  #isEnded = false
  #leave = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(source: Source) {
    this.#source = source
    this.settled = this.#settle(source.read().status === 'error')
  }

  unsubscribe(): void {
    this.#isEnded = true
    clearTimeout(this.#timer)
    this.#leave()
  }

  async #settle(isRefetch: boolean): Promise<void> {
    // After the render, as a request updates other components that display the stream.
    await Promise.resolve()
    if (!this.#isEnded) {
      await this.#request(isRefetch)
    }
    this.isSettled = true
    const { error } = this.#source.read()
    if (!this.#isEnded) {
      // A server mounts nothing, and renders the response from the cache. An error is not cached.
      const isCachedOnServer = isServer() && !error
      this.#timer = setTimeout(() => this.unsubscribe(), isCachedOnServer ? 0 : mountTimeoutMs)
    }
    // The error may be the same object as before, if no request could be sent.
    if (error) {
      erroredAt.set(error, performance.now())
    }
  }

  /** Subscribes, which requests the first response. A stream with an error needs another request. */
  async #request(isRefetch: boolean): Promise<void> {
    const source = this.#source
    if (isRefetch) {
      this.#leave = source.subscribe(() => {})
      await source.read().refetch()
      return
    }
    await new Promise<void>((resolve) => {
      const update = () => {
        if (source.read().status !== 'pending') {
          resolve()
        }
      }
      this.#leave = source.subscribe(update)
      update()
    })
  }
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
