import { createClient } from '@headwater/core'

/** On the server: one client per request. */
export const createServerClient = () =>
  createClient({
    baseUrl: process.env.HEADWATER_URL!,
    apiKey: process.env.HEADWATER_API_KEY!,
    scope: 'data',
  })

/** In the browser: the proxy of the app, under the same scope. */
export const createBrowserClient = () => createClient({ baseUrl: '/api/headwater', scope: 'data' })
