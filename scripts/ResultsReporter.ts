import type { Reporter, TestModule } from 'vitest/node'
import { formatResults, readResults } from './results.ts'

/** Prints the results of a run with one Vitest process. `npm test` prints those of both of its runs itself. */
export default class ResultsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const text = formatResults([readResults(modules, unhandledErrors)])
    // Print after the default reporter's summary.
    setImmediate(() => console.log(text))
  }
}
