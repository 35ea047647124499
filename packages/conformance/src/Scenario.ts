import type { Stage } from './Stage.ts'

/** What all bindings do alike, told without a word of any framework. */
export interface Scenario {
  /** What holds; the same for all frameworks. */
  readonly name: string
  /** Throws where it does not hold. */
  readonly run: (stage: Stage) => Promise<void>
}

/**
 * Makes a scenario.
 *
 * @param name - What holds.
 * @param run - Throws where it does not hold.
 */
export function scenario(name: string, run: Scenario['run']): Scenario {
  return { name, run }
}
