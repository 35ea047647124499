import type { Client } from '@headwater/core'
import { createDevtoolsElement, type DevtoolsOptions } from './DevtoolsElement.ts'

/**
 * Adds the devtools of a client to the page, in production builds too. Any user of the page can then open them, inject
 * faults into that page and export its requests; they show no API key.
 *
 * @param client - The client to inspect.
 * @param options - Shortcut and initial state.
 * @returns Removes the devtools and all faults that they inject.
 * @example
 * import { createClient } from '@headwater/core'
 * import { mountDevtools } from '@headwater/devtools/production'
 * const unmount = mountDevtools(createClient({ baseUrl: 'https://example.org' }))
 */
export function mount(client: Client, options: DevtoolsOptions = {}): () => void {
  if (typeof document === 'undefined') {
    return () => undefined
  }
  const element = createDevtoolsElement(client, options)
  ;(document.body ?? document.documentElement).append(element)
  const removeDestroyCallback = client.onDestroy(() => element.remove())
  return () => {
    removeDestroyCallback()
    element.remove()
  }
}
