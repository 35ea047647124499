import { formatAmount, isLowLiquidity } from '@headwater/core'
import { useBalances, usePortfolio } from '@headwater/react'

const usd = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' })
const format = { locale: 'en', maximumFractionDigits: 6 }

export function WalletPage({ address }: { address?: string }) {
  const total = usePortfolio({ address })
  const { data, error, warnings, hasNextPage, fetchNextPage, refetch } = useBalances({ address })

  if (!address) return <p>Connect a wallet.</p>
  if (!data && !error) return <p>Loading …</p>
  return (
    <main>
      {total.data && (
        <h1>
          {usd.format(total.data.value_usd)}
          {!total.data.complete && <small> (not complete)</small>}
        </h1>
      )}
      {error && (
        <p role="alert">
          {error.shortMessage} <button onClick={() => void refetch()}>Try again</button>
        </p>
      )}
      {data?.length === 0 && <p>No tokens.</p>}
      <ul>
        {data?.map((token) => (
          <li key={`${token.chain_id}/${token.address}`}>
            {formatAmount(token.amount, token.decimals, format)} <bdi>{token.symbol}</bdi> on{' '}
            {token.chain}
            {token.value_usd !== undefined && ` – ${usd.format(token.value_usd)}`}
            {isLowLiquidity(token) && ' (low liquidity)'}
          </li>
        ))}
      </ul>
      {hasNextPage && <button onClick={() => void fetchNextPage()}>More tokens</button>}
      {warnings.map(({ message }) => (
        <p key={message}>{message}</p>
      ))}
    </main>
  )
}
