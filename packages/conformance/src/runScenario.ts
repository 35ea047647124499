import { createStage } from './createStage.ts'
import type { Driver } from './Driver.ts'
import type { Scenario } from './Scenario.ts'

/** Runs a scenario with a new stage. Throws if it fails. */
export async function runScenario(driver: Driver, { run }: Scenario): Promise<void> {
  const stage = createStage(driver)
  try {
    await run(stage)
  } catch (error) {
    // The error of the scenario takes precedence over errors that follow from its interruption.
    await stage.close().catch(() => {})
    throw error
  }
  await stage.close()
}
