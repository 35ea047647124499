import { createClient, paginateTokenHolders } from '@headwater/core'

const client = createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'test-key' })

const token = {
  chainId: 1,
  address: process.argv[2] ?? '0x7c9b57671571876d8f81d9835d025efe3eac9ffb',
}
let count = 0
for await (const { wallet_address, balance } of paginateTokenHolders(client, token)) {
  if (count < 3) console.log(wallet_address, balance)
  count += 1
}
console.log(count, 'holders for', client.getUsage().spent, 'units')
