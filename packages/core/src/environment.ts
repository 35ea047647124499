/** The longest delay that timers support, in milliseconds. A longer one fires immediately. */
export const maxTimerDelayMs = 2 ** 31 - 1

/** Whether the runtime is a server: it has no `window`. This file is the only one that detects the runtime. */
export function isServer(): boolean {
  return (globalThis as { window?: unknown }).window === undefined
}

let hasWarnedOfCopies = false

/** Warns once that an app loads two copies of query-core, whose caches, focus and online state are not shared. */
export function warnOfCopies(): void {
  if (!hasWarnedOfCopies) {
    hasWarnedOfCopies = true
    console.warn(
      'Headwater: `queryClient` is of another copy of @tanstack/query-core. Install one version, that of your TanStack Query package; `npm ls @tanstack/query-core` lists both.',
    )
  }
}

/** Longer than a component that suspends on a server stays subscribed. */
const noPollingWarningDelayMs = 15_000
let hasWarned = false

/**
 * Warns once if something that is not polled is still watched after 15 seconds: a script or a worker was
 * taken for a server.
 *
 * @param isWatched - Whether anything expects polls.
 * @returns Cancels the warning.
 */
export function warnOfMissingPolls(isWatched: () => boolean): () => void {
  const timer = setTimeout(() => {
    if (isWatched() && !hasWarned) {
      hasWarned = true
      console.warn(
        'Headwater: a stream is watched but not polled, as there is no `window`. Set `ssr: false` in `createClient` for live data in a script or a worker, or `ssr: true` on a server.',
      )
    }
  }, noPollingWarningDelayMs)
  return () => clearTimeout(timer)
}

/** Origin of the page or worker, which paths are relative to; undefined in Node.js and React Native, and for a file. */
export function getOrigin(): string | undefined {
  const origin = (globalThis as { location?: { readonly origin?: string } }).location?.origin
  return origin?.startsWith('http') ? origin : undefined
}

/**
 * Subscribes to the event of browsers that are online again. TanStack's `onlineManager` notifies of none on a page that was
 * opened offline, as it assumes to be online until the first event.
 *
 * @returns Unsubscribes.
 */
export function onOnline(listener: () => void): () => void {
  const target = globalThis as Partial<
    Record<'addEventListener' | 'removeEventListener', (type: string, listener: () => void) => void>
  >
  target.addEventListener?.('online', listener)
  return () => target.removeEventListener?.('online', listener)
}

/** The reason of an aborted signal. In React Native before 0.87, signals have none. */
export function getAbortReason(signal: AbortSignal | undefined): Error {
  return (
    (signal?.reason as Error | undefined) ??
    Object.assign(new Error('The operation was aborted.'), { name: 'AbortError' })
  )
}

// Minimal types of the browser APIs in use, so that apps compile without the DOM library.

/** Subset of the Web Locks API. */
export interface TabLocks {
  request(
    name: string,
    options: { signal: AbortSignal },
    granted: () => Promise<void> | undefined | void,
  ): Promise<unknown>
}

/** Subset of `BroadcastChannel`. */
export interface TabChannel {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  postMessage(message: unknown): void
  /** Node.js only. */
  unref?(): void
  close(): void
}

/** The browser APIs that connect the tabs of an app. */
export interface TabHost {
  readonly locks: TabLocks
  createChannel(name: string): TabChannel
}

/** Returns undefined in a runtime without Web Locks or BroadcastChannel. */
export function findTabHost(): TabHost | undefined {
  const { navigator, BroadcastChannel } = globalThis as unknown as {
    navigator?: { readonly locks?: TabLocks }
    BroadcastChannel?: new (name: string) => TabChannel
  }
  if (!navigator?.locks || !BroadcastChannel) {
    return undefined
  }
  return {
    locks: navigator.locks,
    createChannel(name) {
      const channel = new BroadcastChannel(name)
      // Lets a Node.js process exit.
      channel.unref?.()
      return channel
    },
  }
}
