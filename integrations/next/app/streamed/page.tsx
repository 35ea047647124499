import { balancesQueryOptions } from '@headwater/core'
import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import { connection } from 'next/server'
import { Suspense } from 'react'
import { createServerClient } from '../../data/proxy'
import { StreamedWallet } from './StreamedWallet'

type SearchParams = Promise<{ address: string }>

export default function Page({ searchParams }: { searchParams: SearchParams }) {
  return (
    <Suspense fallback={<p>Waiting for the service …</p>}>
      <Streamed searchParams={searchParams} />
    </Suspense>
  )
}

async function Streamed({ searchParams }: { searchParams: SearchParams }) {
  const { address } = await searchParams
  // At request time: prerendered balances would be outdated.
  await connection()
  const client = createServerClient()
  // Not awaited: the page is sent at once, and the response follows in the same HTTP response.
  void client.queryClient
    .prefetchQuery(balancesQueryOptions(client, { address }))
    .finally(() => client.destroy())
  const state = dehydrate(client.queryClient, { shouldDehydrateQuery: () => true })
  return (
    <HydrationBoundary state={state}>
      <Suspense fallback={<p>Waiting for the service …</p>}>
        <StreamedWallet address={address} />
      </Suspense>
    </HydrationBoundary>
  )
}
