import { driver } from './react/driver.ts'
import { runScenario } from './runScenario.ts'
import { testScenarios } from './testScenarios.ts'

testScenarios('react', 'happy-dom', (scenario) => runScenario(driver, scenario))
