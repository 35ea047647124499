import { createClient, getBalances } from '@headwater/core'

const client = createClient({
  baseUrl: 'http://127.0.0.1:4000',
  apiKey: 'test-key',
})
const address = process.argv[2] ?? '0xf5c7208e2466ad5e10c2bbff9f5b3a99816cc41c'
const { balances, next_offset } = await getBalances(client, { address, chainIds: [1, 8453] })
console.log(balances.length, next_offset === undefined)
