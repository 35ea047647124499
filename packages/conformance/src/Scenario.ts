import type { Stage } from './Stage.ts'

/** Behaviour that all bindings share, independent of the framework. */
export interface Scenario {
  /** The behaviour; the same for all frameworks. */
  readonly name: string
  /** Throws if a binding does not behave so. */
  readonly run: (stage: Stage) => Promise<void>
}

/**
 * Creates a scenario.
 *
 * @param name - The behaviour.
 * @param run - Throws if a binding does not behave so.
 */
export function scenario(name: string, run: Scenario['run']): Scenario {
  return { name, run }
}
