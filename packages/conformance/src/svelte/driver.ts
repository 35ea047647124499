import { createSvelteDriver } from './createSvelteDriver.ts'
import { server } from './server.ts?server'

export const driver = createSvelteDriver(false, server)
