import { getContext, setContext } from 'svelte'
import type { Client } from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { requireClient } from './requireClient.ts'

/** A registered symbol, so that two copies of this package share it. */
const clientKey = Symbol.for('@headwater/svelte/client')

/**
 * Hands a client to this component and all below it. Call it while the component is made.
 *
 * @param client - The app makes it and, when it is done with it, destroys it.
 * @returns The same client.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createClient } from '@headwater/core'
 *   import { setClient } from '@headwater/svelte'
 *
 *   setClient(createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'hw_your_key' }))
 * </script>
 * ```
 */
export function setClient(client: Client): Client {
  return setContext(clientKey, client)
}

/**
 * The client that a component above was given by {@link setClient}. Call it while the component is made.
 *
 * @returns The client.
 * @throws {Error} when no component above has one.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { getBalances } from '@headwater/core'
 *   import { getClient } from '@headwater/svelte'
 *
 *   const client = getClient()
 *   const download = () => getBalances(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' })
 * </script>
 * ```
 */
export function getClient(): Client {
  return requireClient(findClient())
}

/** Finds the client that some options mean: their own, else the one from above. Call it while the component is made. */
export function createClientFinder(): (options: ClientOption) => Client {
  const provided = findClient()
  return ({ client }) => requireClient(client ?? provided)
}

/** The client from above; undefined when there is none, and outside of a component that is being made. */
function findClient(): Client | undefined {
  try {
    return getContext(clientKey)
  } catch {
    return undefined
  }
}
