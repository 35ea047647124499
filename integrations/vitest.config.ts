import { defineNodeProject } from '../vitest.project.ts'

export default defineNodeProject({
  name: 'integrations',
  include: ['src/**/*.test.ts'],
  // After the browser tests, because npm and the bundlers keep the machine busy.
  sequence: { groupOrder: 2 },
  maxConcurrency: 2,
  testTimeout: 600_000,
  hookTimeout: 600_000,
})
