import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'devnet',
    environment: 'node',
    include: ['src/**/*.test.ts'],
    // Chains are made and killed, contracts compiled, on a machine that others use too.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
