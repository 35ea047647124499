import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { name: 'contract', testTimeout: 60_000, expect: { poll: { timeout: 30_000 } } },
})
