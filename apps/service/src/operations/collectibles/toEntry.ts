import type { Collectible } from '@headwater/contract'
import { formatUnits } from 'viem'
import type { ChainConfig } from '../../config/Config.ts'
import type { DetailedCollectible } from './loadDetails.ts'

/** The entry of an answer. What is not known is left out. */
export function toEntry(
  { owned, details }: DetailedCollectible,
  chains: readonly ChainConfig[],
): Collectible {
  const { chainId, contract, tokenId, amount, time } = owned
  const { standard, symbol, sale_price } = details
  const chain = chains.find(({ id }) => id === chainId)
  return {
    contract_address: contract,
    token_standard: standard === 1155 ? 'ERC1155' : 'ERC721',
    token_id: tokenId,
    ...(chain && { chain: chain.name }),
    chain_id: chainId,
    ...(symbol !== null && { symbol }),
    ...(sale_price !== null &&
      chain && {
        last_sale_price: formatUnits(BigInt(sale_price), chain.nativeCurrency.decimals),
      }),
    balance: amount,
    last_acquired: `${new Date(time * 1000).toISOString().slice(0, 19)}Z`,
  }
}
