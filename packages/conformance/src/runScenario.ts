import { createStage } from './createStage.ts'
import type { Driver } from './Driver.ts'
import type { Scenario } from './Scenario.ts'

/** Plays a scenario on a stage of its own. Throws where it does not hold. */
export async function runScenario(driver: Driver, { run }: Scenario): Promise<void> {
  const stage = createStage(driver)
  try {
    await run(stage)
  } catch (error) {
    // What the scenario says is worth more than what is left over of a half of it.
    await stage.close().catch(() => {})
    throw error
  }
  await stage.close()
}
