import { createSvelteServer } from './createSvelteServer.ts'

/** Bundled separately (`?server`) to render on the server. */
export const serverEntry = createSvelteServer(false)
