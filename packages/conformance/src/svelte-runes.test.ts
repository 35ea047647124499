import { runScenario } from './runScenario.ts'
import { driver } from './svelte-runes/driver.ts'
import { testScenarios } from './testScenarios.ts'

testScenarios('svelte-runes', 'happy-dom', (scenario) => runScenario(driver, scenario))
