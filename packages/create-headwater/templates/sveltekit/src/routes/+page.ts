import { hydrate } from '@tanstack/query-core'
import { createClient } from '@headwater/core'

import { browser } from '$app/env'

const createAppClient = () => createClient({ baseUrl: '/api/headwater' })
const browserClient = browser ? createAppClient() : undefined

/** Fills the cache before the page renders, on the server, in the browser, and before it navigates. */
export function load({ data: { address, state } }) {
  // One client in the browser, and one per request on the server.
  const client = browserClient ?? createAppClient()
  if (state) {
    hydrate(client.queryClient, state)
  }
  return { client, address }
}
