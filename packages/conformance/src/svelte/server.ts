import { createSvelteServer } from './createSvelteServer.ts'

export const server = createSvelteServer(false)
