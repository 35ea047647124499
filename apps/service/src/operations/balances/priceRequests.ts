import type { ChainConfig } from '../../config/Config.ts'
import type { PriceRequest } from '../../pricing/loadPriceBooks.ts'
import type { Head } from '../loadHeads.ts'
import type { Holding } from './Holding.ts'

/** What to load prices of: the tokens of some holdings, chain by chain at its head. */
export function priceRequests(
  chains: readonly ChainConfig[],
  heads: ReadonlyMap<number, Head>,
  holdings: readonly Holding[],
): PriceRequest[] {
  return chains.flatMap((chain) => {
    const head = heads.get(chain.id)
    const held = holdings.filter((holding) => holding.chain === chain)
    return head ? { chain, head, tokens: held.map(({ address }) => address) } : []
  })
}
