/**
 * Whether this host renders pages for others rather than showing one: it has no `window`. The only place that asks the
 * host what it is.
 */
export function isServer(): boolean {
  return (globalThis as { window?: unknown }).window === undefined
}

// Own types of what is used of a page: an app without the types of a page compiles all the same.

/** What tabs need of Web Locks. */
export interface TabLocks {
  request(
    name: string,
    options: { signal: AbortSignal },
    granted: () => Promise<void> | undefined | void,
  ): Promise<unknown>
}

/** What tabs need of a BroadcastChannel. */
export interface TabChannel {
  onmessage: ((event: { readonly data: unknown }) => void) | null
  postMessage(message: unknown): void
  /** Node's alone. */
  unref?(): void
  close(): void
}

/** How tabs of one app reach each other. */
export interface TabHost {
  readonly locks: TabLocks
  createChannel(name: string): TabChannel
}

/** How this host lets tabs reach each other; undefined where it has no Web Locks or no BroadcastChannel. */
export function findTabHost(): TabHost | undefined {
  const { navigator, BroadcastChannel } = globalThis as unknown as {
    navigator?: { readonly locks?: TabLocks }
    BroadcastChannel?: new (name: string) => TabChannel
  }
  if (!navigator?.locks || !BroadcastChannel) return undefined
  return {
    locks: navigator.locks,
    createChannel(name) {
      const channel = new BroadcastChannel(name)
      // A Node script ends when it has nothing else to do.
      channel.unref?.()
      return channel
    },
  }
}
