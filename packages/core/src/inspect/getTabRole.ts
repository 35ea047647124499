import { focusManager } from '@tanstack/query-core'
import type { Client } from '../client/Client.ts'
import type { TabGroup } from '../tabs/TabGroup.ts'

/**
 * The role of a tab: `single` if it does not broadcast; `leader` if it polls for all tabs, `follower` if another tab does;
 * `hidden` while it neither leads nor polls.
 *
 * @example
 * import type { TabRole } from '@headwater/core/inspect'
 * const polls = (role: TabRole) => role === 'single' || role === 'leader'
 */
export type TabRole = 'single' | 'leader' | 'follower' | 'hidden'

/**
 * The role of this tab in the group that `broadcastClient` joined.
 *
 * @param client - The client.
 * @returns `single` if the client does not broadcast.
 * @example
 * import { createClient } from '@headwater/core'
 * import { getTabRole } from '@headwater/core/inspect'
 * getTabRole(createClient({ baseUrl: 'https://example.org' })) // 'single'
 */
export function getTabRole({ streams }: Client): TabRole {
  const group = streams.poller.coordinator as TabGroup | undefined
  if (!group) {
    return 'single'
  }
  return group.isLeader ? 'leader' : focusManager.isFocused() ? 'follower' : 'hidden'
}
