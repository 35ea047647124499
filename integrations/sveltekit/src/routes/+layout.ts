import { browser } from '$app/env'
import { createClient } from '@headwater/core'

const createAppClient = () => createClient({ baseUrl: '/api/headwater', scope: 'data' })
const browserClient = browser ? createAppClient() : undefined

/** One client in the browser, and one per request on the server. */
export const load = () => ({ client: browserClient ?? createAppClient() })
