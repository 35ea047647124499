import { createClient, estimateUnits, setBudget } from '@headwater/core'

const client = createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'test-key' })

setBudget(client, {
  perMinute: 60,
  onExhausted: ({ shortMessage }) => console.warn(shortMessage),
})
const address = '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
console.log(estimateUnits('balances', { address, chainIds: [1, 8453] }), 'units')
