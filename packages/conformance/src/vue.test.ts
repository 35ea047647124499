import { runScenario } from './runScenario.ts'
import { testScenarios } from './testScenarios.ts'
import { driver } from './vue/driver.ts'

testScenarios('vue', 'happy-dom', (scenario) => runScenario(driver, scenario))
