import { exposeScenarios } from '../chromium/exposeScenarios.ts'
import { driver } from './driver.ts'

exposeScenarios(driver)
