import { describe, test } from 'vitest'
import { knownGaps } from './knownGaps.ts'
import type { Scenario } from './Scenario.ts'
import { scenarios } from './scenarios.ts'

declare module 'vitest' {
  interface TaskMeta {
    /** Which cell of the table a test is. */
    conformance?: Cell
  }
}

/** Where a scenario was played. */
export interface Cell {
  readonly scenario: string
  readonly framework: string
  readonly surroundings: string
  /** Why it is known not to hold. */
  readonly gap?: string
}

/**
 * Makes a test of every scenario. One that is known not to hold fails when it does.
 *
 * @param framework - Its column in the table.
 * @param surroundings - What it runs in.
 * @param play - Plays a scenario; throws where it does not hold.
 */
export function testScenarios(
  framework: string,
  surroundings: string,
  play: (scenario: Scenario) => Promise<void>,
): void {
  describe(`${framework} in ${surroundings}`, () => {
    for (const scenario of scenarios) {
      const { name } = scenario
      const gap = knownGaps.find((each) => each.framework === framework && each.scenario === name)
      const conformance = { scenario: name, framework, surroundings, ...(gap && { gap: gap.why }) }
      test(name, { fails: gap !== undefined, meta: { conformance } }, () => play(scenario))
    }
  })
}
