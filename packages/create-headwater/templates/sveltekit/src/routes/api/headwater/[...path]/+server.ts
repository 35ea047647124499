import { createProxy } from '@headwater/proxy'

/** Adds the API key to the requests of browsers. SvelteKit permits other exports of a route if they begin with `_`. */
export const _proxy = createProxy({
  baseUrl: process.env.HEADWATER_URL,
  apiKey: process.env.HEADWATER_API_KEY,
  basePath: '/api/headwater',
  // Prices also need tokenBalance and tokenInfo.
  operations: ['balances'],
  changes: true,
})

export const fallback = ({ request }: { request: Request }) => _proxy(request)
