import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defaultClientConditions } from 'vite'
import { defineConfig } from 'vitest/config'
import { serverBundles } from './src/serverBundles.ts'

const conditions = ['@headwater/source', ...defaultClientConditions]

export default defineConfig({
  plugins: [serverBundles(), svelte({ configFile: false })],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Inlined, so that Svelte resolves by the conditions above; Node would resolve its server build.
  test: {
    name: 'conformance',
    testTimeout: 60_000,
    hookTimeout: 120_000,
    environment: 'happy-dom',
    server: { deps: { inline: ['svelte'] } },
  },
})
