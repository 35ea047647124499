import { createClient } from '@headwater/core'
import { createProxy } from '@headwater/proxy'

const basePath = '/api/headwater'

export const proxy = createProxy({
  baseUrl: process.env.HEADWATER_URL,
  apiKey: process.env.HEADWATER_API_KEY,
  basePath,
  operations: ['balances'],
})

/** On the server: one client per request. */
export const createServerClient = () => createClient({ baseUrl: basePath, fetch: proxy.fetch })

/** In the browser: the route of the proxy, without a key. */
export const createBrowserClient = () => createClient({ baseUrl: basePath })
