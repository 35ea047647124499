import { dehydrate } from '@tanstack/query-core'
import { balancesQueryOptions, createClient } from '@headwater/core'
import { _proxy } from './api/headwater/[...path]/+server'

/** Requests the balances of `?address=0x…` with a client of this request, as its cache contains the data of one visitor. */
export async function load({ url }) {
  const address = url.searchParams.get('address')
  if (!address) {
    return { address }
  }
  const client = createClient({ baseUrl: '/api/headwater', fetch: _proxy.fetch })
  try {
    await client.queryClient.prefetchQuery(balancesQueryOptions(client, { address }))
    return { address, state: dehydrate(client.queryClient) }
  } finally {
    client.destroy()
  }
}
