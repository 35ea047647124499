import { useTokenHolders } from '@headwater/react'
import { useEffect, useRef } from 'react'

export function Holders({ chainId, address }: { chainId: number; address: string }) {
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
          {wallet_address} {balance}
        </li>
      ))}
      <li ref={end}>
        {error?.shortMessage ??
          (isFetchingNextPage ? 'Loading …' : data && !hasNextPage ? 'All holders' : '')}
      </li>
    </ol>
  )
}
