import { createSvelteServer } from '../svelte/createSvelteServer.ts'

export const server = createSvelteServer(true)
