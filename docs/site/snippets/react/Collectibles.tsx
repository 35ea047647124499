import { useCollectibles } from '@headwater/react'

export function Collectibles({ address }: { address: string }) {
  const { data, hasNextPage, fetchNextPage } = useCollectibles({ address }, { pageSize: 24 })
  return (
    <>
      <ul>
        {data?.map((nft) => (
          <li key={`${nft.chain_id}/${nft.contract_address}/${nft.token_id}`}>
            {nft.image_url && <img src={nft.image_url} alt="" width="160" loading="lazy" />}
            {nft.name ?? `#${nft.token_id}`}
          </li>
        ))}
      </ul>
      {hasNextPage && <button onClick={() => void fetchNextPage()}>More</button>}
    </>
  )
}
