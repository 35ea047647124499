import { defaultClientConditions } from 'vite'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  resolve: { conditions: ['@headwater/source', ...defaultClientConditions] },
  ssr: { resolve: { conditions: ['@headwater/source', ...defaultClientConditions] } },
  test: {
    name: 'vue',
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    environment: 'happy-dom',
  },
})
