import { createSvelteDriver } from './createSvelteDriver.ts'
import { serverEntry } from './server.ts?server'

export const driver = createSvelteDriver(false, serverEntry)
