import { driver } from './svelte/driver.ts'
import { runScenario } from './runScenario.ts'
import { testScenarios } from './testScenarios.ts'

testScenarios('svelte', 'happy-dom', (scenario) => runScenario(driver, scenario))
