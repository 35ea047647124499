import { createClient, estimateUnits, setBudget } from '@headwater/core'

const client = createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'test-key' })

setBudget(client, {
  perMinute: 60,
  onExhausted: ({ shortMessage }) => console.warn(shortMessage),
})
const address = '0xf5c7208e2466ad5e10c2bbff9f5b3a99816cc41c'
console.log(estimateUnits('balances', { address, chainIds: [1, 8453] }), 'units')
