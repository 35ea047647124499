import { formatAmount } from '@headwater/core'
import { useBalances } from '@headwater/react'

export function Wallet({ address }: { address: string }) {
  const { data, error } = useBalances({ address })
  if (!data) return <p>{error ? error.shortMessage : 'Loading …'}</p>
  return (
    <ul>
      {data.map(({ chain_id, chain, address, symbol, amount, decimals, value_usd }) => (
        <li key={`${chain_id}/${address}`}>
          {formatAmount(amount, decimals, { maximumFractionDigits: 6 })} <bdi>{symbol}</bdi> on{' '}
          {chain}
          {value_usd !== undefined && ` – $${value_usd.toFixed(2)}`}
        </li>
      ))}
    </ul>
  )
}
