'use client'
import { formatAmount } from '@headwater/core'
import { useBalances } from '@headwater/react'

const format = { locale: 'en-US', maximumFractionDigits: 6 }

export function Wallet({ address }: { address: string }) {
  const { status, data, error, hasNextPage, fetchNextPage, refetch } = useBalances({ address })
  return (
    <>
      <button onClick={() => void refetch()}>Refresh</button>
      {status === 'pending' && <p>Loading …</p>}
      {error && <p role="alert">{error.shortMessage}</p>}
      {data?.length === 0 && <p>No balances.</p>}
      <ul>
        {data?.map(({ chain_id, chain, address, symbol, amount, decimals }) => (
          <li key={`${chain_id}/${address}`}>
            {formatAmount(amount, decimals, format)} <bdi>{symbol ?? address}</bdi> on {chain}
          </li>
        ))}
      </ul>
      {hasNextPage && <button onClick={() => void fetchNextPage()}>More</button>}
    </>
  )
}
