import { balancesQueryOptions, createClient } from '@headwater/core'
import { dehydrate } from '@tanstack/query-core'

export function load({ url }) {
  const address = String(url.searchParams.get('address'))
  const client = createClient({
    baseUrl: process.env.HEADWATER_URL!,
    apiKey: process.env.HEADWATER_API_KEY!,
    scope: 'data',
  })
  // Not awaited: the page is sent at once, and the response follows in the same HTTP response.
  void client.queryClient
    .prefetchQuery(balancesQueryOptions(client, { address }))
    .finally(() => client.destroy())
  return { address, state: dehydrate(client.queryClient, { shouldDehydrateQuery: () => true }) }
}
