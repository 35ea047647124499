import type { Driver } from '../Driver.ts'
import { runScenario as run } from '../runScenario.ts'
import { scenarios } from '../scenarios.ts'

/** Defines the global `runScenario(name)`, which the test calls. */
export function exposeScenarios(driver: Driver): void {
  /** @returns The error as text; undefined after success. */
  async function runScenario(name: string): Promise<string | undefined> {
    try {
      const scenario = scenarios.find((each) => each.name === name)
      if (!scenario) {
        throw new Error(`Unknown scenario “${name}”`)
      }
      await run(driver, scenario)
      return undefined
    } catch (error) {
      return error instanceof Error ? (error.stack ?? error.message) : String(error)
    }
  }
  Object.assign(window, { runScenario })
}
