import {
  type Portfolio,
  type PortfolioOptions,
  type PortfolioParameters,
  type Snapshot,
  watchPortfolio,
} from '@headwater/core'
import type { SuspenseOptions } from './SuspenseOptions.ts'
import type { SuspenseSnapshot } from './SuspenseSnapshot.ts'
import { useStream } from './useStream.ts'
import { useSuspenseSnapshot } from './useSuspenseSnapshot.ts'

/**
 * What a wallet is worth, as `usePortfolio`; suspends until it is known.
 *
 * @param parameters - The wallet, on which chains; `historicalPrices` (hours) for changes.
 * @param options - How to watch, such as `refetchInterval` (milliseconds), `maxPages` and `select`; and `client`.
 * @returns The newest snapshot, which has data: `data` is the portfolio, in USD.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to show.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useSuspensePortfolio } from '@headwater/react'
 * import { Suspense } from 'react'
 *
 * function Worth({ address }: { address: string }) {
 *   const { data } = useSuspensePortfolio({ address })
 *   return <p>{data.value_usd} USD</p>
 * }
 *
 * export const Page = ({ address }: { address: string }) => (
 *   <Suspense fallback={<p>Loading…</p>}>
 *     <Worth address={address} />
 *   </Suspense>
 * )
 * ```
 */
export function useSuspensePortfolio<S = Portfolio>(
  parameters: PortfolioParameters,
  options: SuspenseOptions<PortfolioOptions<S>> = {},
): SuspenseSnapshot<Snapshot<S>> {
  return useSuspenseSnapshot(useStream(watchPortfolio<S>, parameters, options))
}
