import type { Plugin } from 'vue'
import type { Client } from '@headwater/core'
import { clientKey } from './injectClient.ts'

/**
 * Hands a client to all composables of an app.
 *
 * @param client - The app makes it and, when it is done with it, destroys it.
 * @returns A plugin for `app.use`.
 *
 * @example
 * ```ts
 * import { createClient } from '@headwater/core'
 * import { headwaterPlugin } from '@headwater/vue'
 * import { createApp } from 'vue'
 * import App from './App.vue'
 *
 * const client = createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'hw_your_key' })
 * createApp(App).use(headwaterPlugin(client)).mount('#app')
 * ```
 */
export function headwaterPlugin(client: Client): Plugin {
  return { install: (app) => void app.provide(clientKey, client) }
}
