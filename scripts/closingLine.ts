import type { TestModule } from 'vitest/node'

export interface ResultCount {
  passed: number
  failed: number
  skipped: number
}

/** Counts the tests of a run. A file that fails to load counts as one failed test, as does an unhandled error. */
export function countResults(
  modules: readonly TestModule[],
  unhandledErrors: readonly unknown[],
): ResultCount {
  const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 }
  for (const module of modules) {
    let tests = 0
    for (const test of module.children.allTests()) {
      count[test.result().state]++
      tests++
    }
    if (tests === 0 && module.state() === 'failed') {
      count.failed++
    }
  }
  return { ...count, skipped: count.skipped + count.pending }
}

/** `N passed, N failed, N skipped`, the last line of a run, for readers and programs that read only the end. */
export function formatClosingLine(counts: readonly ResultCount[]): string {
  const total = (key: keyof ResultCount) => counts.reduce((sum, count) => sum + count[key], 0)
  return `\n${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped`
}
