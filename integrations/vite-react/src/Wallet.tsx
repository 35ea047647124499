import { useBalances, usePortfolio } from '@headwater/react'

export function Wallet({ address }: { address: string }) {
  const { status, data, error } = useBalances({ address }, { refetchInterval: 1000 })
  const portfolio = usePortfolio({ address }, { refetchInterval: 1000 })
  if (status === 'pending') return <p>Loading …</p>
  if (!data) return <p>{error?.message}</p>
  return (
    <main>
      <h1>{portfolio.data?.value_usd}</h1>
      <ul>
        {data.map((token) => (
          <li key={`${token.chain_id}/${token.address}`}>
            {token.chain_id}/{token.address} {token.amount}
          </li>
        ))}
      </ul>
    </main>
  )
}
