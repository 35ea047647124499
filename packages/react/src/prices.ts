import {
  type PriceList,
  type PricesSnapshot,
  type PriceTick,
  type PriceToken,
  type QueryParameters,
  type SkipToken,
  type Snapshot,
  watchPrice,
  type WatchPriceOptions,
  watchPrices,
} from '@headwater/core'
import type { ClientOption } from './client.tsx'
import { useSnapshot } from './useSnapshot.ts'
import { useStream } from './useStream.ts'
import {
  type SuspenseOptions,
  type SuspenseSnapshot,
  useSuspenseSnapshot,
} from './useSuspenseSnapshot.ts'

/**
 * The price of a token, kept up to date while the component is mounted.
 *
 * Prices in responses that the page has anyway are used without a request. All others that its hooks need are
 * requested together, by the requests that cost the fewest units.
 *
 * @param token - The token and its chain.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `historicalPrices`
 *   (hours) and `select`; and `client`.
 * @returns The latest snapshot: `data` is the price in USD, when it was seen and its changes. Errors are part of it
 *   and not thrown.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { usePrice } from '@headwater/react'
 *
 * function Ether() {
 *   const { data } = usePrice({ chainId: 1, address: 'native' }, { historicalPrices: [24] })
 *   return <p>{data?.price_usd ?? '…'} USD, {data?.changes?.[0]?.percent?.toFixed(1) ?? '…'} % in a day</p>
 * }
 * ```
 */
export function usePrice<S = PriceTick>(
  token: QueryParameters<PriceToken>,
  options: WatchPriceOptions<PriceTick, S> & ClientOption = {},
): Snapshot<S> {
  return useSnapshot(useStream(watchPrice<S>, token, options))
}

/**
 * The prices of several tokens as one list, kept up to date while the component is mounted.
 *
 * @param tokens - The tokens and their chains.
 *   With `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `historicalPrices`
 *   (hours) and `select`; and `client`.
 * @returns The latest snapshot: `data` has an entry per token, in their order: undefined while its price is not
 *   known; `errors` has the error of each token, or null. Errors are part of it and not thrown.
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
 *   const { data, errors } = usePrices(tokens)
 *   return <p>{data?.map((tick, i) => tick?.price_usd ?? (tick || errors[i] ? '—' : '…')).join(' / ')}</p>
 * }
 * ```
 */
export function usePrices<S = PriceList>(
  tokens: readonly PriceToken[] | SkipToken,
  options: WatchPriceOptions<PriceList, S> & ClientOption = {},
): PricesSnapshot<S> {
  return useSnapshot(useStream(watchPrices<S>, tokens, options))
}

/**
 * The price of a token, as `usePrice`; suspends until there is data.
 *
 * @param token - The token and its chain.
 * @param options - Options of the stream, such as `refetchInterval` (milliseconds), `historicalPrices` (hours) and
 *   `select`; and `client`.
 * @returns The latest snapshot, which has data: `data` is the price in USD, when it was seen and its changes.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to display.
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

/**
 * The prices of several tokens as one list, as `usePrices`; suspends until one price is known.
 *
 * @param tokens - The tokens and their chains.
 * @param options - Options of the stream, such as `refetchInterval` (milliseconds), `historicalPrices` (hours) and
 *   `select`; and `client`.
 * @returns The latest snapshot, which has data: `data` has an entry per token, in their order: undefined while its
 *   price is not known; `errors` has the error of each token, or null.
 * @throws {HeadwaterError} to the nearest error boundary when all tokens failed and there is no data to display.
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
 *   return <p>{data.map((tick) => tick?.price_usd ?? (tick ? '—' : '…')).join(' / ')}</p>
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
): SuspenseSnapshot<PricesSnapshot<S>> {
  return useSuspenseSnapshot(useStream(watchPrices<S>, tokens, options))
}
