import { HEADWATER_API_KEY, HEADWATER_URL } from '$app/env/private'
import { createProxy } from '@headwater/proxy'

const proxy = createProxy({
  baseUrl: HEADWATER_URL,
  apiKey: HEADWATER_API_KEY,
  basePath: '/api/headwater',
  operations: ['balances'],
})

export const fallback = ({ request }: { request: Request }) => proxy(request)
