import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defaultClientConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { serverBundles } from './src/serverBundles.ts'

const conditions = ['@headwater/source', ...defaultClientConditions]

export default defineConfig({
  plugins: [serverBundles(), svelte({ configFile: false })],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Inlined, Svelte follows the conditions above; Node alone would take its server half.
  test: {
    name: 'conformance',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    environment: 'happy-dom',
    server: { deps: { inline: ['svelte'] } },
  },
})
