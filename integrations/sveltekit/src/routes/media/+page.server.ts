import { balancesQueryOptions, collectiblesQueryOptions, createClient } from '@headwater/core'
import { dehydrate } from '@tanstack/query-core'
import { _proxy } from '../api/headwater/[...path]/+server'

export async function load({ url }) {
  const address = String(url.searchParams.get('address'))
  const client = createClient({ baseUrl: '/api/headwater', fetch: _proxy.fetch })
  const { queryClient } = client
  await Promise.all([
    queryClient.prefetchQuery(balancesQueryOptions(client, { address, metadata: ['logo'] })),
    queryClient.prefetchQuery(collectiblesQueryOptions(client, { address })),
  ])
  const state = dehydrate(queryClient)
  client.destroy()
  return { address, state }
}
