import { defineConfig } from 'vitest/config'

// Workspace packages from their sources.
const conditions = ['@headwater/source', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: 'service',
    environment: 'node',
    include: ['src/**/*.test.ts'],
    globalSetup: ['src/testing/postgresGlobalSetup.ts', 'src/testing/pgliteGlobalSetup.ts'],
    // The embedded database takes seconds to start on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 120_000,
  },
})
