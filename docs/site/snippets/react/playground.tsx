import { formatAmount } from '@headwater/core'
import { useBalances, usePortfolio } from '@headwater/react'

export default function Wallet({ address }: { address: string }) {
  const { data, error, isFetching } = useBalances({ address })
  const total = usePortfolio({ address })
  return (
    <main>
      <h1>{total.data ? `$${total.data.value_usd.toFixed(2)}` : 'Loading …'}</h1>
      <p role="status">{error ? error.shortMessage : isFetching ? 'Updating …' : 'Up to date'}</p>
      <ul>
        {data?.map((token) => (
          <li key={`${token.chain_id}/${token.address}`}>
            {token.symbol} on {token.chain}: {formatAmount(token.amount, token.decimals)}
          </li>
        ))}
      </ul>
    </main>
  )
}
