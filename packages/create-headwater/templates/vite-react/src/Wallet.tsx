import { formatAmount } from '@headwater/core'
import { useBalances } from '@headwater/react'

export function Wallet({ address }: { address: string }) {
  const { data, error, refetch } = useBalances({ address }, { refetchInterval: 60_000 })
  if (!data) {
    return <p>{error ? error.shortMessage : 'Loading …'}</p>
  }
  return (
    <>
      <button onClick={() => void refetch()}>Refresh</button>
      <ul>
        {data.map(({ chain_id, address, symbol, amount, decimals }) => (
          <li key={`${chain_id}/${address}`}>
            {formatAmount(amount, decimals, { locale: 'en-US' })} {symbol}
          </li>
        ))}
      </ul>
    </>
  )
}
