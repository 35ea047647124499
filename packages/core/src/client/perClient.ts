import type { Client } from './Client.ts'

/**
 * Creates state that belongs to a client on first use, so that `createClient` does not import it. It lives as long as the
 * client is referenced; `client.onDestroy` releases what must end earlier. Mark calls at module level as `@__PURE__`, else
 * every bundle contains them.
 */
export function perClient<T extends object>(create: (client: Client) => T): (client: Client) => T {
  const instances = new WeakMap<Client, T>()
  return (client) => {
    let instance = instances.get(client)
    if (!instance) {
      instances.set(client, (instance = create(client)))
    }
    return instance
  }
}
