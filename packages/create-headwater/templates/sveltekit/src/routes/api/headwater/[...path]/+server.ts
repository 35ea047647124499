import { createProxy } from '@headwater/proxy'

import { HEADWATER_API_KEY, HEADWATER_URL } from '$app/env/private'

/** Adds the API key to the requests of browsers. SvelteKit permits other exports of a route if they begin with `_`. */
export const _proxy = createProxy({
  baseUrl: HEADWATER_URL,
  apiKey: HEADWATER_API_KEY,
  basePath: '/api/headwater',
  // Prices also need tokenBalance and tokenInfo.
  operations: ['balances'],
  changes: true,
})

export const fallback = ({ request }: { request: Request }) => _proxy(request)
