import { createProxy } from '@headwater/proxy'

const proxy = createProxy({
  baseUrl: process.env.HEADWATER_URL,
  apiKey: process.env.HEADWATER_API_KEY,
  basePath: '/api/headwater',
  operations: ['balances'],
})

export { proxy as GET, proxy as HEAD, proxy as OPTIONS }
