import { formatAmount } from '@headwater/core'
import { useTokenHolders } from '@headwater/react'
import { useEffect, useRef } from 'react'

interface HoldersProps {
  chainId: number
  address: string
  decimals: number
}

export function Holders({ chainId, address, decimals }: HoldersProps) {
  const holders = useTokenHolders({ chainId, address }, { pageSize: 50 })
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = holders
  const end = useRef<HTMLLIElement>(null)

  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting && hasNextPage) void fetchNextPage()
    })
    if (end.current) observer.observe(end.current)
    return () => observer.disconnect()
  }, [hasNextPage, fetchNextPage, data?.length])

  return (
    <ol>
      {data?.map(({ wallet_address, balance }) => (
        <li key={wallet_address}>
          {wallet_address} {formatAmount(balance, decimals)}
        </li>
      ))}
      <li ref={end}>
        {error?.shortMessage ??
          (isFetchingNextPage ? 'Loading …' : data && !hasNextPage ? 'All holders' : '')}
      </li>
    </ol>
  )
}
