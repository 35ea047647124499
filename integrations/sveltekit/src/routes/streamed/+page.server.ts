import { balancesQueryOptions, createClient } from '@headwater/core'
import { _proxy } from '../api/headwater/[...path]/+server'
import { dehydrate } from '@tanstack/query-core'

export function load({ url }) {
  const address = String(url.searchParams.get('address'))
  const client = createClient({ baseUrl: '/api/headwater', fetch: _proxy.fetch })
  // Not awaited: the page is sent at once, and the response follows in the same HTTP response.
  void client.queryClient
    .prefetchQuery(balancesQueryOptions(client, { address }))
    .finally(() => client.destroy())
  return { address, state: dehydrate(client.queryClient, { shouldDehydrateQuery: () => true }) }
}
