import { createSvelteServer } from '../svelte/createSvelteServer.ts'

/** Bundled separately (`?server`) to render on the server. */
export const serverEntry = createSvelteServer(true)
