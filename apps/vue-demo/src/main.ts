import '@headwater/demo-kit/style.css'
import { createApp } from 'vue'
import { followTheme, loadConfig } from '@headwater/demo-kit'
import App from './App.vue'

followTheme()
createApp(App, { config: await loadConfig() }).mount('#app')
