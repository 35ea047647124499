import { anyService, contentSecurityPolicy } from '@headwater/demo-kit/contentSecurityPolicy'
import vue from '@vitejs/plugin-vue'
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  base: './',
  plugins: [vue(), contentSecurityPolicy(...anyService)],
  resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
})
