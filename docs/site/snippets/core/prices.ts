import { createClient, getPriceChange, watchPrice } from '@headwater/core'

const client = createClient({ baseUrl: 'http://127.0.0.1:4000', apiKey: 'test-key', ssr: false })

const ether = { chainId: 1, address: 'native' }
watchPrice(client, ether, { historicalPrices: [24] }).subscribe(({ data, error }) => {
  const change = data && getPriceChange(data, 24)
  if (data) console.log(data.price_usd, 'USD', change === undefined ? '' : `${change.toFixed(2)} %`)
  else if (error) console.error(error.shortMessage)
})
