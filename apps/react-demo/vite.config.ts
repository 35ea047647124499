import react from '@vitejs/plugin-react'
import { defaultClientConditions, defineConfig } from 'vite'
import { anyService, contentSecurityPolicy } from '@headwater/demo-kit/contentSecurityPolicy'
import { demoDevtools } from '@headwater/demo-kit/demoDevtools'

export default defineConfig({
  base: './',
  plugins: [react(), contentSecurityPolicy(...anyService), demoDevtools()],
  resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
})
