import type { Reporter, TestModule } from 'vitest/node'
import { countResults, formatClosingLine } from './closingLine.ts'

/** Prints the closing line of a run with one Vitest process. `npm test` prints the line of both of its runs itself. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const line = formatClosingLine([countResults(modules, unhandledErrors)])
    // Print after the default reporter's summary.
    setImmediate(() => console.log(line))
  }
}
