import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'e2e',
    globalSetup: './src/globalSetup.ts',
    // The files share one stack and one browser.
    fileParallelism: false,
    isolate: false,
    sequence: { groupOrder: 1 },
    // Conditions are polled: a generous timeout costs nothing when they hold.
    expect: { poll: { timeout: 60_000 } },
    testTimeout: 240_000,
    hookTimeout: 600_000,
  },
})
