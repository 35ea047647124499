import {
  type PriceList,
  type PriceToken,
  type Snapshot,
  type WatchPriceOptions,
  watchPrices,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useSnapshot } from './useSnapshot.ts'
import { useStream } from './useStream.ts'

/**
 * The prices of some tokens as one list, kept up to date while the component is mounted.
 *
 * @param tokens - The tokens and their chains.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `historicalPrices` (hours) and
 *   `select`; and `client`.
 * @returns The newest snapshot: `data` has a place for each token, in their order; undefined while a price is not
 *   known. Errors are a state of it; rendering throws none of them.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { usePrices } from '@headwater/react'
 *
 * const tokens = [
 *   { chainId: 1, address: 'native' },
 *   { chainId: 8453, address: 'native' },
 * ]
 *
 * function Prices() {
 *   const { data } = usePrices(tokens)
 *   return <p>{data?.map((tick) => tick?.price_usd ?? '…').join(' / ')}</p>
 * }
 * ```
 */
export function usePrices<S = PriceList>(
  tokens: readonly PriceToken[],
  options: WatchPriceOptions<PriceList, S> & ClientOption = {},
): Snapshot<S> {
  return useSnapshot(useStream(watchPrices<S>, tokens, options))
}
