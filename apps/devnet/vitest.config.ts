import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'devnet',
    environment: 'node',
    include: ['src/**/*.test.ts'],
    // Tests start and kill chains and compile contracts, possibly on a busy machine.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
