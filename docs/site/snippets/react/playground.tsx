import { formatAmount } from '@headwater/core'
import { useBalances, usePortfolio } from '@headwater/react'

const usd = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const format = { locale: 'en', maximumFractionDigits: 6 }

export default function Wallet({ address }: { address: string }) {
  const { data, error, isFetching } = useBalances({ address })
  const total = usePortfolio({ address })
  return (
    <main>
      <h1>{total.data ? usd.format(total.data.value_usd) : 'Loading …'}</h1>
      <p role="status">{error ? error.shortMessage : isFetching ? 'Updating …' : 'Up to date'}</p>
      <ul>
        {data?.map((token) => (
          <li key={`${token.chain_id}/${token.address}`}>
            {formatAmount(token.amount, token.decimals, format)} <bdi>{token.symbol}</bdi> on{' '}
            {token.chain}
          </li>
        ))}
      </ul>
    </main>
  )
}
