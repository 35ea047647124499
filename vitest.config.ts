import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/service', 'apps/devnet', 'apps/demo-kit', 'scripts', 'e2e'],
    reporters: ['default', './scripts/ClosingLineReporter.ts'],
  },
})
