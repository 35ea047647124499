import type { Client } from './Client.ts'

/**
 * What belongs to a client but is used by few, made at its first use, so that {@link createClient} need not carry it.
 * Lives for as long as the client is referenced; what must be let go of earlier says so by `client.onDestroy`. A call at the
 * top of a file is marked `@__PURE__`, else every bundle would carry what it makes.
 */
export function perClient<T extends object>(create: (client: Client) => T): (client: Client) => T {
  const made = new WeakMap<Client, T>()
  return (client) => {
    let found = made.get(client)
    if (!found) made.set(client, (found = create(client)))
    return found
  }
}
