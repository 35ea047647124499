import { createClient } from '@headwater/core'
import { headwaterPlugin } from '@headwater/vue'
import { dehydrate, type DehydratedState, hydrate } from '@tanstack/query-core'

export default defineNuxtPlugin((nuxtApp) => {
  const { headwaterUrl, headwaterApiKey } = useRuntimeConfig()
  // One per request on the server, and one in the browser.
  const client = createClient(
    import.meta.server
      ? { baseUrl: headwaterUrl, apiKey: headwaterApiKey, scope: 'data' }
      : { baseUrl: '/api/headwater', scope: 'data' },
  )
  nuxtApp.vueApp.use(headwaterPlugin(client))
  if (import.meta.server) {
    nuxtApp.hook('app:rendered', () => {
      nuxtApp.payload.headwater = dehydrate(client.queryClient)
      client.destroy()
    })
  } else {
    hydrate(client.queryClient, nuxtApp.payload.headwater as DehydratedState | undefined)
  }
})
