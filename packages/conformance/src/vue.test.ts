import { driver } from './vue/driver.ts'
import { runScenario } from './runScenario.ts'
import { testScenarios } from './testScenarios.ts'

testScenarios('vue', 'happy-dom', (scenario) => runScenario(driver, scenario))
