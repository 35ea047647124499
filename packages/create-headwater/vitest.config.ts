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
    name: 'create-headwater',
    include: ['src/**/*.test.ts'],
    testTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    environment: 'node',
  },
})
