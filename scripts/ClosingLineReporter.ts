import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one plain line, `N passed, N failed, N skipped`, for people and programs that read only the end. */
export default class ClosingLineReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      let tests = 0
      for (const test of module.children.allTests()) {
        count[test.result().state]++
        tests++
      }
      // A file that does not load has no tests, and still failed.
      if (tests === 0 && module.state() === 'failed') {
        count.failed++
      }
    }
    // After the default reporter's summary.
    setImmediate(() =>
      console.log(
        `\n${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped`,
      ),
    )
  }
}
