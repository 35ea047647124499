import type { ChainConfig } from '../../config/Config.ts'
import type { PriceRequest } from '../../pricing/loadPriceBooks.ts'
import type { Head } from '../loadHeads.ts'
import type { ChainToken } from './ChainToken.ts'

/** What to load prices of: some tokens, chain by chain at its head. */
export function priceRequests(
  chains: readonly ChainConfig[],
  heads: ReadonlyMap<number, Head>,
  tokens: readonly ChainToken[],
): PriceRequest[] {
  const byChain = new Map<number, string[]>(chains.map(({ id }) => [id, []]))
  // Native assets are priced as their wrapped tokens, which are priced unasked.
  for (const { chain, address } of tokens) {
    if (address !== 'native') {
      byChain.get(chain.id)?.push(address)
    }
  }
  return chains.flatMap((chain) => {
    const head = heads.get(chain.id)
    return head ? { chain, head, tokens: byChain.get(chain.id) ?? [] } : []
  })
}
