import { createClient, formatAmount, watchBalances } from '@headwater/core'

const client = createClient({
  baseUrl: 'http://127.0.0.1:4000',
  apiKey: 'test-key',
  // In Node.js a client fetches once, as for server rendering, unless this is false.
  ssr: false,
})

const address = process.argv[2] ?? '0xf5c7208e2466ad5e10c2bbff9f5b3a99816cc41c'
watchBalances(client, { address }).subscribe(({ data, error }) => {
  if (error) console.error(error.shortMessage)
  for (const { chain, symbol, amount, decimals } of data ?? []) {
    console.log(formatAmount(amount, decimals), symbol, 'on', chain)
  }
})
