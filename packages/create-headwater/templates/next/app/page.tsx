import { dehydrate, HydrationBoundary } from '@tanstack/react-query'
import { connection } from 'next/server'
import { Suspense } from 'react'
import { balancesQueryOptions } from '@headwater/core'
import { createServerClient } from '../data/proxy'
import { Wallet } from './Wallet'

type SearchParams = Promise<{ address?: string }>

/** The wallet of `?address=0x…`. */
export default function Page({ searchParams }: { searchParams: SearchParams }) {
  return (
    <Suspense fallback={<p>Waiting for the server …</p>}>
      <PrefetchedWallet searchParams={searchParams} />
    </Suspense>
  )
}

/** The balances are in the page: the browser does not request them again. */
async function PrefetchedWallet({ searchParams }: { searchParams: SearchParams }) {
  const { address } = await searchParams
  if (!address) {
    return (
      <form>
        <p>Select a wallet.</p>
        <input name="address" aria-label="Address" placeholder="0x…" /> <button>Show</button>
      </form>
    )
  }
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
