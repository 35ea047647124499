import type { TestModule } from 'vitest/node'

export interface Results {
  passed: number
  /** For each failed test: its project, file, name, the first line of its error, and the state of its page, if it has one. */
  failures: string[]
  skipped: number
}

/** The results of a run. An error outside of tests, such as a file that fails to load, counts as a failed test. */
export function readResults(
  modules: readonly TestModule[],
  unhandledErrors: readonly unknown[],
): Results {
  const results: Results = {
    passed: 0,
    failures: unhandledErrors.map((error) => `unhandled error: ${formatError(error)}`),
    skipped: 0,
  }
  for (const module of modules) {
    const place = `|${module.project.name}| ${module.relativeModuleId}`
    for (const test of module.children.allTests()) {
      const result = test.result()
      if (result.state === 'passed') {
        results.passed++
      } else if (result.state === 'failed') {
        const { page } = test.meta() as { page?: string }
        const error = formatError(result.errors[0])
        results.failures.push(`${place} > ${test.fullName}: ${error}${page ? `\n  ${page}` : ''}`)
      } else {
        results.skipped++
      }
    }
    // Errors of the file itself and of hooks, which skip the tests after them.
    for (const task of [module, ...module.children.allSuites()]) {
      for (const error of task.errors()) {
        results.failures.push(`${place}: ${formatError(error)}`)
      }
    }
  }
  return results
}

/**
 * The failed tests, then `N passed, N failed, N skipped` as the last line: a long log can be read from its end.
 */
export function formatResults(runs: readonly Results[]): string {
  const failures = runs.flatMap((run) => run.failures)
  const sum = (key: 'passed' | 'skipped') => runs.reduce((total, run) => total + run[key], 0)
  const lines = failures.map((failure) => `failed: ${failure}`)
  lines.push(`${sum('passed')} passed, ${failures.length} failed, ${sum('skipped')} skipped`)
  return `\n${lines.join('\n')}`
}

function formatError(error: unknown): string {
  const message =
    typeof error === 'object' && error !== null && 'message' in error ? error.message : error
  return String(message).split('\n', 1)[0]!.slice(0, 300)
}
