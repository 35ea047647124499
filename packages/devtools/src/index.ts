import type { Client } from '@headwater/core'
import type { DevtoolsOptions } from './DevtoolsElement.ts'
import { mount } from './mount.ts'

export type { DevtoolsOptions } from './DevtoolsElement.ts'

/**
 * Adds the devtools of a client to the page: a button that opens their panel, as does the shortcut. In a production build,
 * and on a server, it does nothing, and a bundler removes all of it.
 *
 * @param client - The client to inspect.
 * @param options - Shortcut and initial state.
 * @returns Removes the devtools and all faults that they inject.
 * @example
 * import { createClient } from '@headwater/core'
 * import { mountDevtools } from '@headwater/devtools'
 * const client = createClient({ baseUrl: 'https://example.org' })
 * const unmount = mountDevtools(client)
 * unmount()
 */
export function mountDevtools(client: Client, options?: DevtoolsOptions): () => void {
  // Bundlers replace the expression, and remove the code for production.
  return process.env.NODE_ENV === 'production' ? () => undefined : mount(client, options)
}
