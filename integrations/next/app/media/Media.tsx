'use client'
import { useBalances, useCollectibles } from '@headwater/react'

export function Media({ address }: { address: string }) {
  const { data: balances = [] } = useBalances({ address, metadata: ['logo'] })
  const { data: collectibles = [] } = useCollectibles({ address })
  return [
    ...balances.map(({ token_metadata }) => token_metadata?.logo),
    ...collectibles.map(({ image_url }) => image_url),
  ].map((url) => url && <img key={url} src={url} alt="" />)
}
