import { balancesQueryOptions } from '@headwater/core'
import { dehydrate } from '@tanstack/react-query'
import type { GetServerSideProps } from 'next'
import { Wallet } from '../../app/wallets/[address]/Wallet'
import { createServerClient } from '../../data/createServerClient'

export const getServerSideProps: GetServerSideProps = async ({ params }) => {
  const address = String(params?.address)
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
