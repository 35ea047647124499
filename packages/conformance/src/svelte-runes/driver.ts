import { createSvelteDriver } from '../svelte/createSvelteDriver.ts'
import { server } from './server.ts?server'

export const driver = createSvelteDriver(true, server)
