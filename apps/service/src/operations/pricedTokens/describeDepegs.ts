import type { Warning } from '@headwater/contract'
import type { PriceBook } from '../../pricing/PriceBook.ts'

/** The warnings of chains with stablecoins that are priced by their pools instead of at 1 USD. */
export function describeDepegs(books: ReadonlyMap<number, Pick<PriceBook, 'depegged'>>): Warning[] {
  return [...books]
    .filter(([, { depegged }]) => depegged.size > 0)
    .map(([chainId, { depegged }]) => ({
      code: 'DEPEGGED',
      message: `Stablecoins of chain ${chainId} differ by more than 2 % from the others or by their feeds, and do not count as 1 USD: ${[...depegged].join(', ')}`,
      chain_id: chainId,
      addresses: [...depegged],
    }))
}
