import { defaultClientConditions } from 'vite'
import { defineConfig } from 'vitest/config'

const conditions = ['@headwater/source', ...defaultClientConditions]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: 'demo-kit',
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    environment: 'node',
  },
})
