import type { Client } from '../client/Client.ts'
import { perClient } from '../client/perClient.ts'
import { requireClient, requireOptions } from '../client/requireClient.ts'
import { findTabHost } from '../environment.ts'
import { TabGroup } from './TabGroup.ts'

/**
 * Options of {@link broadcastClient}.
 *
 * @example
 * import type { BroadcastClientOptions } from '@headwater/core'
 * const options: BroadcastClientOptions = { group: 'wallet' }
 */
export interface BroadcastClientOptions {
  /**
   * Only tabs of the same group share responses. Separates apps on the same origin, and users if the client computes its
   * `headers`. Default: none.
   */
  readonly group?: string | undefined
}

/** Version of the messages: tabs with an older version of the app may be open. */
const protocolVersion = 1

/**
 * Shares responses between the tabs of an app, so that all tabs together cost the units of one. Of the tabs on one origin,
 * with the same service and key, one visible tab leads and polls the queries of all; its responses are written to the caches
 * of the others. When it is closed or hidden, another one takes over immediately; while it is unresponsive, each tab polls
 * for itself. A new tab receives the cached responses of the leader.
 *
 * Messages contain data, never a key. Does nothing on a server, and in a runtime without Web Locks (insecure pages) or
 * BroadcastChannel, or where the browser denies them.
 *
 * @param client - The client of this tab. Call it before anything is watched, so that nothing is fetched twice, and not while a
 *   component renders: React may discard the render, whose client would stay a tab of its own.
 * @param options - Which tabs share responses.
 * @returns Leaves the group; the tab then polls for itself. Also left when the client is destroyed.
 * @example
 * import { broadcastClient, createClient } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const leave = broadcastClient(client)
 * leave()
 */
export function broadcastClient(client: Client, options: BroadcastClientOptions = {}): () => void {
  requireClient(client)
  requireOptions(options)
  const { group = '' } = options
  const host = client.ssr ? undefined : findTabHost()
  if (host === undefined) {
    return () => undefined
  }
  const membership = getMembership(client)
  const name = `headwater/${protocolVersion}/${group}/${client.transport.identify(hashText)}`
  try {
    membership.group ??= new TabGroup(client, host, name)
  } catch {
    // Firefox opens no channel for a page that must not store data: the tab polls for itself.
    return () => undefined
  }
  membership.callerCount++
  let hasLeft = false
  const leave = (): boolean => {
    if (hasLeft) {
      return false
    }
    hasLeft = true
    removeDestroyCallback()
    if (--membership.callerCount > 0) {
      return false
    }
    membership.group?.stop()
    membership.group = undefined
    return true
  }
  const removeDestroyCallback = client.onDestroy(leave)
  return () => {
    if (leave()) {
      client.streams.poller.pollDue()
    }
  }
}

/** Repeated calls for a client, as in components that render twice, join the group once. */
const getMembership = /* @__PURE__ */ perClient(
  (): { group: TabGroup | undefined; callerCount: number } => ({
    group: undefined,
    callerCount: 0,
  }),
)

/** 32-bit FNV-1a hash. Too short to reveal the key: billions of texts have the same hash. */
function hashText(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}
