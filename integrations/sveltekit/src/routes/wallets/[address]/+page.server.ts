import { balancesQueryOptions } from '@headwater/core'
import { dehydrate } from '@tanstack/query-core'
import { createServerClient } from '../../../lib/server/createServerClient'

export async function load({ params }) {
  const client = createServerClient()
  try {
    await client.queryClient.prefetchQuery(
      balancesQueryOptions(client, { address: params.address }),
    )
    return { state: dehydrate(client.queryClient) }
  } finally {
    client.destroy()
  }
}
