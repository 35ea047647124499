import { dehydrate, type DehydratedState, hydrate } from '@tanstack/query-core'
import { createClient } from '@headwater/core'
import { headwaterPlugin } from '@headwater/vue'

import type { Plugin } from '#app'
import { defineNuxtPlugin, useRuntimeConfig } from '#imports'

/** Provides a client, one per request on the server and one in the browser, and transfers its cache in the payload. */
const plugin: Plugin<Record<never, never>> = defineNuxtPlugin({
  name: '@headwater/nuxt',
  setup(nuxtApp) {
    const { app, headwater, public: shared } = useRuntimeConfig()
    const client = createClient({
      // Without a URL on the server, as in a build that renders pages, pages are pending and the browser requests their data.
      ...(import.meta.server && headwater.url !== ''
        ? { baseUrl: headwater.url, apiKey: headwater.apiKey }
        : { baseUrl: app.baseURL.replace(/\/$/, '') + shared.headwater.basePath }),
      scope: 'headwater',
    })
    nuxtApp.vueApp.use(headwaterPlugin(client))
    if (import.meta.server) {
      nuxtApp.hook('app:rendered', () => {
        nuxtApp.payload.headwater = dehydrate(client.queryClient)
        client.destroy()
      })
      nuxtApp.hook('app:error', () => client.destroy())
    } else {
      // Undefined in pages that were not rendered on a server, which `hydrate` ignores.
      hydrate(client.queryClient, nuxtApp.payload.headwater as DehydratedState)
    }
  },
})

export default plugin
