import { defineConfig } from 'vitest/config'

// Resolves workspace packages to their sources.
const conditions = ['@headwater/source', 'node', 'development|production']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    name: 'service',
    environment: 'node',
    include: ['{src,test}/**/*.test.ts'],
    // Loading the modules again for each file takes longer than most tests.
    isolate: false,
    globalSetup: ['test/globalSetup.ts'],
    // Tests wait for processes, chains and databases, possibly on a busy machine. Waits end with their condition, so long
    // timeouts cost nothing.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
