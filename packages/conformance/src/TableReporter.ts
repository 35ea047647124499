import type { Reporter, TestModule } from 'vitest/node'
import { formatTable, type Outcome } from './formatTable.ts'

/** Prints the results of the scenarios as one table, and fails the run if a scenario did not run in all columns. */
export default class TableReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const outcomes: Outcome[] = []
    for (const module of modules) {
      for (const test of module.children.allTests()) {
        const { conformance } = test.meta()
        if (conformance) {
          outcomes.push({ ...conformance, state: test.result().state })
        }
      }
    }
    if (outcomes.length === 0) {
      return
    }
    const { text, holes } = formatTable(outcomes)
    // After the default reporter's summary.
    setImmediate(() => console.log(`\n${text}`))
    if (holes.length === 0) {
      return
    }
    process.exitCode = 1
    setImmediate(() => console.error(`\nThe table has holes:\n${holes.join('\n')}`))
  }
}
