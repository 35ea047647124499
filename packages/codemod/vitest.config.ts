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
  test: { name: 'codemod', testTimeout: 60_000 },
})
