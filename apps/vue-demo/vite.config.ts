import vue from '@vitejs/plugin-vue'
import { defaultClientConditions, defineConfig } from 'vite'
import { anyService, contentSecurityPolicy } from '@headwater/demo-kit/contentSecurityPolicy'

export default defineConfig({
  base: './',
  plugins: [vue(), contentSecurityPolicy(...anyService)],
  resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
})
