import type { Driver } from '../Driver.ts'
import { runScenario } from '../runScenario.ts'
import { scenarios } from '../scenarios.ts'

/** Lets whoever drives the browser play scenarios in this page, by `playScenario(name)`. */
export function exposeScenarios(driver: Driver): void {
  /** @returns What went wrong; undefined when nothing did. */
  async function playScenario(name: string): Promise<string | undefined> {
    try {
      const scenario = scenarios.find((each) => each.name === name)
      if (!scenario) {
        throw new Error(`There is no scenario “${name}”.`)
      }
      await runScenario(driver, scenario)
      return undefined
    } catch (error) {
      return error instanceof Error ? (error.stack ?? error.message) : String(error)
    }
  }
  Object.assign(window, { playScenario })
}
