import { toValue } from 'vue'
import type { Client } from '@headwater/core'
import { injectClient } from './injectClient.ts'
import { requireClient } from './requireClient.ts'

/**
 * The client that `headwaterPlugin` gave the app, or `provideClient` the components here.
 *
 * @returns The client of now: it stays the same when another one is provided later.
 * @throws {Error} when there is none, or when called outside `setup`.
 *
 * @example
 * ```ts
 * import { getBalances } from '@headwater/core'
 * import { useClient } from '@headwater/vue'
 *
 * const client = useClient()
 * const download = () => getBalances(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' })
 * ```
 */
export function useClient(): Client {
  return requireClient(toValue(injectClient()))
}
