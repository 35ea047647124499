import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defaultClientConditions } from 'vite'
import { defineConfig } from 'vitest/config'

const conditions = ['@headwater/source', ...defaultClientConditions]

export default defineConfig({
  plugins: [svelte({ configFile: false })],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Inlined, Svelte follows the conditions above; Node alone would take its server half.
  test: {
    name: 'svelte',
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    environment: 'happy-dom',
    server: { deps: { inline: ['svelte'] } },
  },
})
