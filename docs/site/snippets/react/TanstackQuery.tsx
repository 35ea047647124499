import {
  balancesQueryFilter,
  balancesQueryOptions,
  tokenHoldersInfiniteQueryOptions,
} from '@headwater/core'
import { useBalances, useClient } from '@headwater/react'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'

export function Wallet({ address }: { address: string }) {
  const client = useClient()
  const queryClient = useQueryClient()
  // Polls, and merges the pages.
  const { data } = useBalances({ address })
  // The latest response, of the same cache entry. Without `enabled`, it would be requested again whenever it is mounted.
  const { data: response } = useQuery({
    ...balancesQueryOptions(client, { address }),
    enabled: false,
  })
  const refresh = () => queryClient.invalidateQueries(balancesQueryFilter(client, { address }))
  return (
    <button onClick={() => void refresh()}>
      {data?.length} tokens, at {response?.response_time}
    </button>
  )
}

export function Holders({ address }: { address: string }) {
  const client = useClient()
  const options = tokenHoldersInfiniteQueryOptions(client, { chainId: 1, address })
  const { data, fetchNextPage } = useInfiniteQuery(options)
  return <button onClick={() => void fetchNextPage()}>{data?.pages.length} pages</button>
}
