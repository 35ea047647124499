import { runScenario } from './runScenario.ts'
import { driver } from './svelte/driver.ts'
import { testScenarios } from './testScenarios.ts'

testScenarios('svelte', 'happy-dom', (scenario) => runScenario(driver, scenario))
