'use client'
import { formatAmount } from '@headwater/core'
import { useSuspenseBalances } from '@headwater/react'

export function StreamedWallet({ address }: { address: string }) {
  const { data, refetch } = useSuspenseBalances({ address }, { refetchInterval: 60_000 })
  return (
    <>
      <button onClick={() => void refetch()}>Refresh</button>
      <ul>
        {data.map(({ chain_id, chain, address, symbol, amount, decimals }) => (
          <li key={`${chain_id}/${address}`}>
            {formatAmount(amount, decimals, { locale: 'de-CH' })} {symbol} on {chain}
          </li>
        ))}
      </ul>
    </>
  )
}
