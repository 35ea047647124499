import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defaultClientConditions, defineConfig } from 'vite'
import { anyService, contentSecurityPolicy } from '@headwater/demo-kit/contentSecurityPolicy'
import { demoDevtools } from '@headwater/demo-kit/demoDevtools'

export default defineConfig({
  base: './',
  plugins: [svelte({ configFile: false }), contentSecurityPolicy(...anyService), demoDevtools()],
  resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
})
