import { balancesQueryOptions } from '@headwater/core'
import { dehydrate } from '@tanstack/query-core'
import { createServerClient } from '../../../lib/server/createServerClient'

export function load({ params }) {
  const client = createServerClient()
  // Not awaited: the page is sent at once, and the response follows in the same HTTP response.
  void client.queryClient
    .prefetchQuery(balancesQueryOptions(client, { address: params.address }))
    .finally(() => client.destroy())
  return { state: dehydrate(client.queryClient, { shouldDehydrateQuery: () => true }) }
}
