import { formatUnits } from 'viem/utils'
import type { Collectible } from '@headwater/contract'
import type { ChainConfig } from '../../config/Config.ts'
import type { CollectibleLinks } from './CollectibleLinks.ts'
import type { DetailedCollectible } from './loadDetails.ts'

/** The entry of an answer. What is not known is left out. */
export function toEntry(
  { owned, details }: DetailedCollectible,
  chains: readonly ChainConfig[],
  links: CollectibleLinks,
): Collectible {
  const { chainId, contract, tokenId, amount, time } = owned
  const { standard, symbol, sale_price, uri, name, description, attributes } = details
  const chain = chains.find(({ id }) => id === chainId)
  return {
    contract_address: contract,
    token_standard: standard === 1155 ? 'ERC1155' : 'ERC721',
    token_id: tokenId,
    ...(chain && { chain: chain.name }),
    chain_id: chainId,
    ...(name !== null && { name }),
    ...(description !== null && { description }),
    ...(symbol !== null && { symbol }),
    ...(details.has_image && { image_url: links.image(chainId, contract, tokenId) }),
    ...(sale_price !== null &&
      chain && {
        last_sale_price: formatUnits(BigInt(sale_price), chain.nativeCurrency.decimals),
      }),
    ...((uri !== null || attributes !== null) && {
      metadata: {
        ...(uri !== null && { uri }),
        ...(attributes !== null && { attributes: [...attributes] }),
      },
    }),
    balance: amount,
    last_acquired: `${new Date(time * 1000).toISOString().slice(0, 19)}Z`,
  }
}
