import { createApp } from 'vue'
import { createClient } from '@headwater/core'
import { headwaterPlugin } from '@headwater/vue'
import App from './App.vue'

const client = createClient({ baseUrl: '/api/headwater' })

createApp(App).use(headwaterPlugin(client)).mount('#app')
