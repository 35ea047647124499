import { balancesQueryOptions } from '@headwater/core'
import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import { connection } from 'next/server'
import { Suspense } from 'react'
import { createServerClient } from '../../../data/createServerClient'
import { Wallet } from './Wallet'

type Params = Promise<{ address: string }>

export default function Page({ params }: { params: Params }) {
  return (
    <Suspense fallback={<p>Waiting for the server …</p>}>
      <PrefetchedWallet params={params} />
    </Suspense>
  )
}

async function PrefetchedWallet({ params }: { params: Params }) {
  const { address } = await params
  // At request time: prerendered balances would be outdated.
  await connection()
  const client = createServerClient()
  try {
    await client.queryClient.prefetchQuery(balancesQueryOptions(client, { address }))
    return (
      <HydrationBoundary state={dehydrate(client.queryClient)}>
        <Wallet address={address} />
      </HydrationBoundary>
    )
  } finally {
    client.destroy()
  }
}
