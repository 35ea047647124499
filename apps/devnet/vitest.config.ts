import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'devnet',
    environment: 'node',
    include: ['src/**/*.test.ts'],
    // The first test that deploys a token may have to compile it.
    testTimeout: 60_000,
  },
})
