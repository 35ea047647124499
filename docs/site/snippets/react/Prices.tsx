import { getPriceChange } from '@headwater/core'
import { usePrice, usePrices } from '@headwater/react'

const ether = { chainId: 1, address: 'native' }
const usdc = { chainId: 1, address: '0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48' }

export function EtherPrice() {
  const { data, error } = usePrice(ether, { historicalPrices: [24], refetchInterval: 5000 })
  if (!data) return <p>{error ? error.shortMessage : 'Loading …'}</p>
  const change = getPriceChange(data, 24)
  return (
    <p>
      {data.price_usd ?? '—'} USD{change !== undefined && `, ${change.toFixed(2)} % in 24 hours`}
      {data.lowLiquidity && ' (low liquidity)'}
    </p>
  )
}

export function PriceList() {
  const { data, errors } = usePrices([ether, usdc])
  return (
    <ol>
      {data?.map((price, index) => (
        <li key={index}>
          {price ? (price.price_usd ?? 'no price') : (errors[index]?.shortMessage ?? 'Loading …')}
        </li>
      ))}
    </ol>
  )
}
