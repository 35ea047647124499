// Runs all tests: `npm test` without arguments.
import { startVitest } from 'vitest/node'
import { formatResults, readResults } from './results.ts'

// The tests of the demos run one at a time and mostly wait for a page: a second run uses the cores that they leave idle.
const waiting = ['e2e', 'integrations']
const runs = [waiting.map((name) => `!${name}`), waiting]

const finished = await Promise.all(
  runs.map((project) =>
    startVitest([], {
      watch: false,
      project,
      maxWorkers: '100%',
      // Both runs print to one terminal: no summary that redraws itself.
      reporters: [['default', { summary: false }], './packages/conformance/src/TableReporter.ts'],
    }),
  ),
)

const results = finished.map(({ state }) =>
  readResults(state.getTestModules(), state.getUnhandledErrors()),
)
console.log(formatResults(results))
// Handles that a test left open do not keep the process alive.
process.exit()
