import { createProxy } from '@headwater/proxy'

export const proxy = createProxy({
  baseUrl: process.env.HEADWATER_URL,
  apiKey: process.env.HEADWATER_API_KEY,
  basePath: '/api/headwater',
  operations: ['balances', 'tokenBalance', 'tokenInfo'],
  changes: true,
})
