import { dehydrate, type DehydratedState, hydrate } from '@tanstack/query-core'
import { createClient } from '@headwater/core'
import { headwaterPlugin } from '@headwater/vue'
import { getBasePath, getProxy } from './getProxy.ts'

import type { Plugin } from '#app'
import { defineNuxtPlugin, useRequestEvent, useRuntimeConfig } from '#imports'

/** Provides a client, one per request on the server and one in the browser, and transfers its cache in the payload. */
const plugin: Plugin<Record<never, never>> = defineNuxtPlugin({
  name: '@headwater/nuxt',
  setup(nuxtApp) {
    const config = useRuntimeConfig()
    const baseUrl = getBasePath(config)
    const client = createClient({
      baseUrl,
      // Without a URL, as in a build that renders pages, pages are pending and the browser requests their data.
      ...(import.meta.server &&
        config.headwater.url !== '' && { fetch: getProxy(config, baseUrl).fetch }),
    })
    nuxtApp.vueApp.use(headwaterPlugin(client))
    if (import.meta.server) {
      nuxtApp.hook('app:rendered', () => {
        nuxtApp.payload.headwater = dehydrate(client.queryClient)
        client.destroy()
      })
      nuxtApp.hook('app:error', () => client.destroy())
      const event = useRequestEvent()
      // A page that is cached is rendered for all visitors, also after the one that caused it has left.
      if (!event?.context.cache) {
        event?.node.res.once('close', () => client.destroy())
      }
    } else if (nuxtApp.payload.headwater) {
      hydrate(client.queryClient, nuxtApp.payload.headwater as DehydratedState)
    }
  },
})

export default plugin
