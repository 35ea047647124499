import { defineConfig } from 'vitest/config'

const conditions = [
  '@headwater/source',
  'module',
  'node',
  'development|production',
  'import',
  'default',
]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
  test: {
    name: 'integrations',
    include: ['src/**/*.test.ts'],
    // After the browser tests, because npm and the bundlers keep the machine busy.
    sequence: { groupOrder: 2 },
    maxConcurrency: 2,
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
})
