import { defineConfig, mergeConfig } from 'vitest/config'
import config from './vitest.config.ts'

// The tests of everything that relies on query-core, on the lowest version that the package supports. The latest one is
// covered by the regular project.
export default mergeConfig(
  config,
  defineConfig({
    resolve: { alias: { '@tanstack/query-core': 'query-core-lowest' } },
    test: {
      name: 'core-query-core-5.75',
      include: ['src/{queries,polling,snapshots,collections}/*.test.ts'],
    },
  }),
)
