import { balancesQueryOptions } from '@headwater/core'
import { dehydrate } from '@tanstack/react-query'
import type { GetServerSideProps } from 'next'
import { Wallet } from '../app/Wallet'
import { createServerClient } from '../data/proxy'

export const getServerSideProps: GetServerSideProps = async ({ query }) => {
  const address = String(query.address)
  const client = createServerClient()
  try {
    await client.queryClient.prefetchQuery(balancesQueryOptions(client, { address }))
    return { props: { address, state: dehydrate(client.queryClient) } }
  } finally {
    client.destroy()
  }
}

export default function Page({ address }: { address: string }) {
  return <Wallet address={address} />
}
