import { createClient, getBalances } from '@headwater/core'

const client = createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'test-key' })
const { balances } = await getBalances(client, {
  address: process.argv[2] ?? '0xd8da6bf26964af9d7eed9e03e53415d37aa96045',
  chainIds: [1],
})
console.log(balances.length, 'tokens')
