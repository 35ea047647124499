import type { Client } from '@headwater/core'
import { hasInjectionContext, inject, type InjectionKey } from 'vue'

/** Where the plugin puts the client. A registered symbol, so that two copies of this package share it. */
export const clientKey: InjectionKey<Client> = Symbol.for('@headwater/vue/client')

/**
 * The client that the app was given by `headwaterPlugin`.
 *
 * @returns The client.
 * @throws Error when the app uses no plugin, or when called outside `setup`.
 *
 * @example
 * ```ts
 * import { getBalances } from '@headwater/core'
 * import { useClient } from '@headwater/vue'
 *
 * const client = useClient()
 * const download = () => getBalances(client, { address: '0x…' })
 * ```
 */
export function useClient(): Client {
  const client = hasInjectionContext() ? inject(clientKey, undefined) : undefined
  if (client) return client
  throw new Error(
    'No Headwater client found. Call app.use(headwaterPlugin(client)), or pass `client` in the options.',
  )
}
