import {
  type PriceTick,
  type PriceToken,
  type Snapshot,
  watchPrice,
  type WatchPriceOptions,
} from '@headwater/core'
import type { SuspenseOptions } from './SuspenseOptions.ts'
import type { SuspenseSnapshot } from './SuspenseSnapshot.ts'
import { useStream } from './useStream.ts'
import { useSuspenseSnapshot } from './useSuspenseSnapshot.ts'

/**
 * The price of a token, as `usePrice`; suspends until it is known.
 *
 * @param token - The token and its chain.
 * @param options - How to watch, such as `refetchInterval` (milliseconds), `historicalPrices` (hours) and `select`;
 *   and `client`.
 * @returns The newest snapshot, which has data: `data` is the price in USD, when it was seen, and how it changed.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to show.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useSuspensePrice } from '@headwater/react'
 * import { Suspense } from 'react'
 *
 * function Ether() {
 *   const { data } = useSuspensePrice({ chainId: 1, address: 'native' })
 *   return <p>{data.price_usd} USD</p>
 * }
 *
 * export const Page = () => (
 *   <Suspense fallback={<p>Loading…</p>}>
 *     <Ether />
 *   </Suspense>
 * )
 * ```
 */
export function useSuspensePrice<S = PriceTick>(
  token: PriceToken,
  options: SuspenseOptions<WatchPriceOptions<PriceTick, S>> = {},
): SuspenseSnapshot<Snapshot<S>> {
  return useSuspenseSnapshot(useStream(watchPrice<S>, token, options))
}
