import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defaultClientConditions, defineConfig } from 'vite'
import { anyService, contentSecurityPolicy } from '@headwater/demo-kit/contentSecurityPolicy'

export default defineConfig({
  base: './',
  plugins: [svelte({ configFile: false }), contentSecurityPolicy(...anyService)],
  resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
})
