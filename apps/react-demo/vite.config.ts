import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { anyService, contentSecurityPolicy } from '@headwater/demo-kit/contentSecurityPolicy'

export default defineConfig({
  base: './',
  plugins: [react(), contentSecurityPolicy(...anyService)],
  resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
})
