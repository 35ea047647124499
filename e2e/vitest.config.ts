import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'e2e',
    globalSetup: './src/globalSetup.ts',
    // One stack, one browser at a time: the machine has other work to do.
    fileParallelism: false,
    testTimeout: 60_000,
    hookTimeout: 180_000,
  },
})
