import { createProxy } from '@headwater/proxy'

declare function readSession(request: Request): Promise<{ wallets: string[] }>

export const proxy = createProxy({
  baseUrl: process.env.HEADWATER_URL,
  apiKey: process.env.HEADWATER_API_KEY,
  basePath: '/api/headwater',
  operations: ['balances', 'tokenInfo'],
  authorize: {
    // Addresses are in lower case.
    balances: async ({ address }, request) =>
      (await readSession(request)).wallets.includes(address),
  },
  rateLimit: {
    requests: 60,
    seconds: 60,
    visitor: ({ headers }) => headers.get('cf-connecting-ip'),
  },
})
