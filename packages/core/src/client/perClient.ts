import type { Client } from './Client.ts'

/**
 * Creates state that belongs to a client on first use, so that `createClient` does not import it. It lives as long as the
 * client is referenced; `client.onDestroy` releases what must end earlier. Mark calls at module level as `@__PURE__`, else
 * every bundle contains them.
 */
export function perClient<T extends object>(create: (client: Client) => T): (client: Client) => T {
  return (client) => {
    const { state } = client
    if (!state.has(create)) {
      state.set(create, create(client))
    }
    return state.get(create) as T
  }
}
