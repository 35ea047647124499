import { perClient } from '../client/perClient.ts'
import type { Client } from '../client/Client.ts'
import { findTabHost } from '../environment.ts'
import { digest } from './digest.ts'
import { TabGroup } from './TabGroup.ts'

/**
 * Options of {@link shareTabs}.
 *
 * @example
 * import type { ShareTabsOptions } from '@headwater/core'
 * const options: ShareTabsOptions = { group: 'wallet' }
 */
export interface ShareTabsOptions {
  /** Only tabs that name the same group share. Tells apart apps that live on one origin. Default: none. */
  readonly group?: string
}

/** A change of these messages is another version, as tabs with an older version of the app may be open. */
const version = 1

/**
 * Lets the tabs of an app cost the units of one: of all that are open on one origin, with the same service and key, one
 * that is seen leads and polls what any of them watches; what it learns is put into the caches of the others. When it is
 * closed or hidden, another takes over at once; while it is silent, each tab polls by itself. A tab that comes knows at
 * once what the leader knows.
 *
 * Tabs tell each other data and never a key. Does nothing on a server, and where there are no Web Locks (pages that are not
 * secure) or no BroadcastChannel.
 *
 * @param client - The client of this tab. Call it before anything is watched, so that nothing is asked twice.
 * @param options - Which tabs share.
 * @returns Ends it for this tab, which then polls by itself. Ends with the client too.
 * @example
 * import { createClient, shareTabs } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org', apiKey: 'key' })
 * const stop = shareTabs(client)
 * stop()
 */
export function shareTabs(client: Client, { group = '' }: ShareTabsOptions = {}): () => void {
  const host = client.ssr ? undefined : findTabHost()
  if (host === undefined) return () => undefined
  const sharing = sharingOf(client)
  sharing.group ??= new TabGroup(
    client,
    host,
    `headwater/${version}/${group}/${client.transport.identify(digest)}`,
  )
  sharing.callers++
  let isOver = false
  const leave = (): boolean => {
    if (isOver) return false
    isOver = true
    forget()
    if (--sharing.callers > 0) return false
    sharing.group?.stop()
    sharing.group = undefined
    return true
  }
  const forget = client.onDestroy(leave)
  return () => {
    if (leave()) client.streams.poller.reconsider()
  }
}

/** Who calls twice for a client, as components do that are rendered twice, shares once. */
const sharingOf = /* @__PURE__ */ perClient(
  (): { group: TabGroup | undefined; callers: number } => ({
    group: undefined,
    callers: 0,
  }),
)
