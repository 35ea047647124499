import { createSvelteDriver } from '../svelte/createSvelteDriver.ts'
import { serverEntry } from './server.ts?server'

export const driver = createSvelteDriver(true, serverEntry)
