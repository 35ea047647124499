import {
  type PriceList,
  type PriceToken,
  type Snapshot,
  type WatchPriceOptions,
  watchPrices,
} from '@headwater/core'
import type { SuspenseOptions } from './SuspenseOptions.ts'
import type { SuspenseSnapshot } from './SuspenseSnapshot.ts'
import { useStream } from './useStream.ts'
import { useSuspenseSnapshot } from './useSuspenseSnapshot.ts'

/**
 * The prices of some tokens as one list, as `usePrices`; suspends until one is known.
 *
 * @param tokens - The tokens and their chains.
 * @param options - How to watch, such as `refetchInterval` (milliseconds), `historicalPrices` (hours) and `select`;
 *   and `client`.
 * @returns The newest snapshot, which has data: `data` has a place for each token, in their order; undefined while a
 *   price is not known.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to show.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useSuspensePrices } from '@headwater/react'
 * import { Suspense } from 'react'
 *
 * const tokens = [
 *   { chainId: 1, address: 'native' },
 *   { chainId: 8453, address: 'native' },
 * ]
 *
 * function Prices() {
 *   const { data } = useSuspensePrices(tokens)
 *   return <p>{data.map((tick) => tick?.price_usd ?? '…').join(' / ')}</p>
 * }
 *
 * export const Page = () => (
 *   <Suspense fallback={<p>Loading…</p>}>
 *     <Prices />
 *   </Suspense>
 * )
 * ```
 */
export function useSuspensePrices<S = PriceList>(
  tokens: readonly PriceToken[],
  options: SuspenseOptions<WatchPriceOptions<PriceList, S>> = {},
): SuspenseSnapshot<Snapshot<S>> {
  return useSuspenseSnapshot(useStream(watchPrices<S>, tokens, options))
}
