/** The longest delay that timers support, in milliseconds. A longer one fires immediately. */
export const maxTimerDelayMs = 2 ** 31 - 1

/** Whether the runtime is a server: it has no `window`. This file is the only one that detects the runtime. */
export function isServer(): boolean {
  return (globalThis as { window?: unknown }).window === undefined
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
