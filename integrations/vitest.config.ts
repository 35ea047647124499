import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    name: 'integrations',
    // npm and three bundlers keep the machine busy: after the browser suite, where nobody waits for a poll.
    sequence: { groupOrder: 2 },
    testTimeout: 300_000,
    hookTimeout: 600_000,
  },
})
