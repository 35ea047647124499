import type { ConnectionState } from '@headwater/core'

const texts: Readonly<Record<ConnectionState, string>> = {
  live: 'Changes are pushed by the service',
  polling: 'Changes are polled',
  offline: 'Offline',
}

/** How the page receives changes. */
export function connectionText(state: ConnectionState): string {
  return texts[state]
}
