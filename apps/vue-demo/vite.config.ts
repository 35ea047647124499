import vue from '@vitejs/plugin-vue'
import { defaultClientConditions, defineConfig } from 'vite'
import { anyService, contentSecurityPolicy } from '@headwater/demo-kit/contentSecurityPolicy'
import { demoDevtools } from '@headwater/demo-kit/demoDevtools'

export default defineConfig({
  base: './',
  plugins: [vue(), contentSecurityPolicy(...anyService), demoDevtools()],
  resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
})
