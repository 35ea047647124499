import type { Reporter, TestModule } from 'vitest/node'

/** Prints `N passed, N failed, N skipped` as the last line of a run, for readers and programs that read only the end. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      let tests = 0
      for (const test of module.children.allTests()) {
        count[test.result().state]++
        tests++
      }
      // A file that fails to load has no tests.
      if (tests === 0 && module.state() === 'failed') {
        count.failed++
      }
    }
    // Print after the default reporter's summary.
    setImmediate(() =>
      console.log(
        `\n${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`,
      ),
    )
  }
}
