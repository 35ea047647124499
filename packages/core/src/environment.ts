/**
 * Whether this host renders pages for others rather than showing one: it has no `window`. The only place that asks the
 * host what it is.
 */
export function isServer(): boolean {
  return typeof window === 'undefined'
}

/** How tabs of one app reach each other. */
export interface TabHost {
  readonly locks: LockManager
  createChannel(name: string): BroadcastChannel
}

/** How this host lets tabs reach each other; undefined where it has no Web Locks or no BroadcastChannel. */
export function findTabHost(): TabHost | undefined {
  const { navigator, BroadcastChannel } = globalThis as {
    navigator?: Partial<Navigator>
    BroadcastChannel?: typeof globalThis.BroadcastChannel
  }
  if (!navigator?.locks || !BroadcastChannel) return undefined
  return { locks: navigator.locks, createChannel: (name) => new BroadcastChannel(name) }
}
