import { defineConfig } from 'vitest/config'

// Workspace packages from their sources.
const conditions = ['@headwater/source', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: 'service',
    environment: 'node',
    include: ['{src,test}/**/*.test.ts'],
    // What every file would load again takes longer than most tests.
    isolate: false,
    globalSetup: ['test/postgresGlobalSetup.ts', 'test/pgliteGlobalSetup.ts'],
    // So much is done that a test may wait for: processes, chains, embedded databases, on a machine that others use too.
    // Whoever waits goes on as soon as it is done, so that patience costs nothing.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
