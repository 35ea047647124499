import { balancesQueryOptions, collectiblesQueryOptions } from '@headwater/core'
import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import { connection } from 'next/server'
import { Suspense } from 'react'
import { createServerClient } from '../../data/proxy'
import { Media } from './Media'

type SearchParams = Promise<{ address: string }>

export default function Page({ searchParams }: { searchParams: SearchParams }) {
  return (
    <Suspense>
      <PrefetchedMedia searchParams={searchParams} />
    </Suspense>
  )
}

async function PrefetchedMedia({ searchParams }: { searchParams: SearchParams }) {
  const { address } = await searchParams
  await connection()
  const client = createServerClient()
  const { queryClient } = client
  try {
    await Promise.all([
      queryClient.prefetchQuery(balancesQueryOptions(client, { address, metadata: ['logo'] })),
      queryClient.prefetchQuery(collectiblesQueryOptions(client, { address })),
    ])
    return (
      <HydrationBoundary state={dehydrate(queryClient)}>
        <Media address={address} />
      </HydrationBoundary>
    )
  } finally {
    client.destroy()
  }
}
