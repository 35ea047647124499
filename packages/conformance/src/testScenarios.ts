import { describe, test } from 'vitest'
import { knownGaps } from './knownGaps.ts'
import type { Scenario } from './Scenario.ts'
import { scenarios } from './scenarios.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** The cell of the table. */
    conformance?: Cell
  }
}

/** A scenario and its column. */
export interface Cell {
  readonly scenario: string
  readonly framework: string
  readonly surroundings: string
  /** The reason of a known gap. */
  readonly gap?: string
}

/**
 * Defines a test of every scenario. The test of a known gap fails if the scenario passes.
 *
 * @param framework - Its column in the table.
 * @param surroundings - Its environment.
 * @param run - Runs a scenario; throws if it fails.
 */
export function testScenarios(
  framework: string,
  surroundings: string,
  run: (scenario: Scenario) => Promise<void>,
): void {
  describe(`${framework} in ${surroundings}`, () => {
    for (const scenario of scenarios) {
      const { name } = scenario
      const gap = knownGaps.find((each) => each.framework === framework && each.scenario === name)
      const conformance = { scenario: name, framework, surroundings, ...(gap && { gap: gap.why }) }
      test(name, { fails: gap !== undefined, meta: { conformance } }, () => run(scenario))
    }
  })
}
