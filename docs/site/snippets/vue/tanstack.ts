import { createClient } from '@headwater/core'
import { headwaterPlugin } from '@headwater/vue'
import type { QueryClient as CoreQueryClient } from '@tanstack/query-core'
import { QueryClient, VueQueryPlugin } from '@tanstack/vue-query'
import { createApp } from 'vue'
import App from './App.vue'

const queryClient = new QueryClient()
const client = createClient({
  baseUrl: '/api/headwater',
  // The class of vue-query extends that of query-core, with other types of parameters.
  queryClient: queryClient as CoreQueryClient,
})

createApp(App).use(VueQueryPlugin, { queryClient }).use(headwaterPlugin(client)).mount('#app')
