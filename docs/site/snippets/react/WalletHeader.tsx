import { useBalances, usePortfolio } from '@headwater/react'

const extras = { historicalPrices: [24], metadata: ['logo'] } as const

export function WalletHeader({ address }: { address: string }) {
  const parameters = { address, ...extras }
  const { data: total } = usePortfolio(parameters)
  const { data: tokens } = useBalances(parameters)
  const change = total?.changes[0]?.percent
  return (
    <header>
      {change !== undefined && <p>{change.toFixed(2)} % in 24 hours</p>}
      {tokens?.map(({ chain_id, address, symbol, token_metadata }) =>
        token_metadata?.logo ? (
          <img key={`${chain_id}/${address}`} src={token_metadata.logo} alt="" width={24} />
        ) : (
          <span key={`${chain_id}/${address}`}>{[...(symbol ?? '?')][0]}</span>
        ),
      )}
    </header>
  )
}
