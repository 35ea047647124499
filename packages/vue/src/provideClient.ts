import { type MaybeRefOrGetter, provide } from 'vue'
import type { Client } from '@headwater/core'
import { clientKey } from './injectClient.ts'

/**
 * Hands a client to all composables of the components below, instead of the app's: for a part of a page that asks another
 * service, or a reader who changes the key. Call it in `setup`.
 *
 * @param client - May be a ref or a getter: composables go on with the new client when it changes. Who made a client
 *   destroys it when it is done with it.
 *
 * @example
 * ```ts
 * import { createClient } from '@headwater/core'
 * import { provideClient } from '@headwater/vue'
 * import { computed, ref } from 'vue'
 *
 * const apiKey = ref('hw_your_key')
 * const client = computed(() =>
 *   createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: apiKey.value }),
 * )
 * provideClient(client)
 * ```
 */
export function provideClient(client: MaybeRefOrGetter<Client>): void {
  provide(clientKey, client)
}
