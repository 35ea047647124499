import { createClient } from '@headwater/core'
import { headwaterPlugin } from '@headwater/vue'
import { createApp } from 'vue'
import App from './App.vue'

const client = createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'test-key' })

createApp(App).use(headwaterPlugin(client)).mount('#app')
