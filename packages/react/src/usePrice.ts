import {
  type PriceTick,
  type PriceToken,
  type Snapshot,
  watchPrice,
  type WatchPriceOptions,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useSnapshot } from './useSnapshot.ts'
import { useStream } from './useStream.ts'

/**
 * The price of a token, kept up to date while the component is mounted.
 *
 * As many of these as a page has rows may be mounted at once: what is not known yet is asked for together, by the requests
 * that cost the fewest units, and nothing is asked for that a wallet on the page tells anyway.
 *
 * @param token - The token and its chain.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `historicalPrices` (hours) and
 *   `select`; and `client`.
 * @returns The newest snapshot: `data` is the price in USD, when it was seen, and how it changed. Errors are a state
 *   of it; rendering throws none of them.
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
  token: PriceToken,
  options: WatchPriceOptions<PriceTick, S> & ClientOption = {},
): Snapshot<S> {
  return useSnapshot(useStream(watchPrice<S>, token, options))
}
