import { createClient, formatAmount, watchBalances } from '@headwater/core'

const client = createClient({
  baseUrl: 'http://127.0.0.1:4000',
  apiKey: 'test-key',
  // In Node.js a client fetches once, as for server rendering, unless this is false.
  ssr: false,
})

const address = process.argv[2] ?? '0xd8da6bf26964af9d7eed9e03e53415d37aa96045'
watchBalances(client, { address }).subscribe(({ data, error }) => {
  if (error) console.error(error.shortMessage)
  for (const { chain, symbol, amount, decimals } of data ?? []) {
    console.log(formatAmount(amount, decimals), symbol, 'on', chain)
  }
})
