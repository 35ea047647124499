import { getPriceChange } from '@headwater/core'
import { usePrice, usePrices } from '@headwater/react'

const ether = { chainId: 1, address: 'native' }
const etherOnBase = { chainId: 8453, address: 'native' }

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
  const { data, errors } = usePrices([ether, etherOnBase])
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
