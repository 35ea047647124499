import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'integrations',
    include: ['src/**/*.test.ts'],
    // After the browser tests, because npm and the bundlers keep the machine busy.
    sequence: { groupOrder: 2 },
    maxConcurrency: 2,
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})
