import type { Warning } from '@headwater/contract'
import type { PriceBook } from '../../pricing/PriceBook.ts'

/** The warnings of chains with stablecoins that are priced by their pools instead of at 1 USD, or with unknown past prices. */
export function describePrices(
  books: ReadonlyMap<number, Pick<PriceBook, 'depegged' | 'isPastUnknown'>>,
): Warning[] {
  return [...books].flatMap(([chainId, { depegged, isPastUnknown }]) => {
    const warnings: Warning[] = []
    if (depegged.size > 0) {
      warnings.push({
        code: 'DEPEGGED',
        message: `Stablecoins of chain ${chainId} differ by more than 2 % from the others or by their feeds, and do not count as 1 USD: ${[...depegged].join(', ')}`,
        chain_id: chainId,
        addresses: [...depegged],
      })
    }
    if (isPastUnknown) {
      warnings.push({
        code: 'PRICES_NOT_READ',
        message: `No node of chain ${chainId} returned the states of pools at the requested times, so that historical prices are missing`,
        chain_id: chainId,
      })
    }
    return warnings
  })
}
