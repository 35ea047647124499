import { memo } from 'react'
import type { Collectible } from '@headwater/core'
import { chainText, collectibleText } from '@headwater/demo-kit'
import { ScreenLink } from '../shell/ScreenLink.tsx'
import { CollectibleImage } from './CollectibleImage.tsx'

interface CollectibleCardProps {
  collectible: Collectible
  /** Address of the owner. */
  address: string
}

/** Memoized: a collectible keeps its object identity while it is unchanged. */
export const CollectibleCard = memo(function CollectibleCard(props: CollectibleCardProps) {
  const { collectible, address } = props
  const { chain_id: chainId, contract_address: contract, token_id: id, balance } = collectible
  return (
    <li
      data-testid="collectible-card"
      data-chain-id={chainId}
      data-contract={contract}
      data-token-id={id}
    >
      <ScreenLink
        className="collectible"
        to={{ screen: 'collectible', address, chainId, token: contract, tokenId: id }}
      >
        <CollectibleImage collectible={collectible} />
        <span className="caption">
          <strong className="untrusted">{collectibleText(collectible)}</strong>
          <span className="muted untrusted">
            {chainText(collectible)}
            {balance !== undefined && balance !== '1' && ` · ${balance} owned`}
          </span>
        </span>
      </ScreenLink>
    </li>
  )
})
