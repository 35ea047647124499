import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: [
      'packages/*',
      'packages/core/vitest.lowest.config.ts',
      'packages/react/vitest.react-18.config.ts',
      'apps/service',
      'apps/devnet',
      'apps/demo-kit',
      'apps/landing',
      'docs/site',
      'scripts',
      'e2e',
      'integrations',
    ],
    reporters: [
      'default',
      './packages/conformance/src/TableReporter.ts',
      './scripts/ResultsReporter.ts',
    ],
  },
})
