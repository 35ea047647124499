import { createClient } from '@headwater/core'
import { createProxy } from '@headwater/proxy'

const basePath = '/api/headwater'

/** Adds the API key to the requests of browsers. */
export const proxy = createProxy({
  baseUrl: process.env.HEADWATER_URL,
  apiKey: process.env.HEADWATER_API_KEY,
  basePath,
  // Prices also need tokenBalance and tokenInfo.
  operations: ['balances'],
  changes: true,
})

/** A client of one request, as its cache contains the data of one visitor. */
export const createServerClient = () => createClient({ baseUrl: basePath, fetch: proxy.fetch })
