import { svelte } from '@sveltejs/vite-plugin-svelte'
import { defaultClientConditions } from 'vite'
import { defineConfig } from 'vitest/config'

const conditions = ['@headwater/source', ...defaultClientConditions]

export default defineConfig({
  plugins: [svelte({ configFile: false })],
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // Inlined, so that Svelte resolves by the conditions above; Node would resolve its server build.
  test: {
    name: 'svelte',
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    environment: 'happy-dom',
    server: { deps: { inline: ['svelte'] } },
  },
})
