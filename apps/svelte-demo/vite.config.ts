import { anyService, contentSecurityPolicy } from '@headwater/demo-kit/contentSecurityPolicy'
import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defaultClientConditions, defineConfig } from 'vite'

export default defineConfig({
  base: './',
  plugins: [svelte({ configFile: false }), contentSecurityPolicy(...anyService)],
  resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
})
