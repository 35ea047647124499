import type { Client } from '@headwater/core'

import { injectClient } from './injectClient.ts'
import { requireClient } from './requireClient.ts'

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
 * const download = () => getBalances(client, { address: '0xd8da6bf26964af9d7eed9e03e53415d37aa96045' })
 * ```
 */
export function useClient(): Client {
  return requireClient(injectClient())
}
