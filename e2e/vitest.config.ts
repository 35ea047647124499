import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'e2e',
    globalSetup: './src/globalSetup.ts',
    // One stack, one browser at a time, and after all others: the machine has other work to do.
    fileParallelism: false,
    isolate: false,
    sequence: { groupOrder: 1 },
    testTimeout: 240_000,
    hookTimeout: 600_000,
  },
})
