import {
  type Portfolio,
  type PortfolioOptions,
  type PortfolioParameters,
  type QueryParameters,
  type Snapshot,
  watchPortfolio,
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
 * The value of one or several wallets in USD: in total, by chain, wallet and token, its change and its reliability,
 * kept up to date while the component is mounted.
 *
 * It shares the poll of `useBalances` with the same parameters, and adds requests only for the pages after the first.
 * With several wallets, one that fails makes the portfolio incomplete, with a warning.
 *
 * @param parameters - The wallet or an array of wallets as `address`, the chains, and `historicalPrices` (hours) for
 *   changes. While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` and `tailRefetchInterval`
 *   (milliseconds), `maxPages` and `select`; and `client`.
 * @returns The latest snapshot: `data` is the portfolio. Errors are part of it and not thrown.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { usePortfolio } from '@headwater/react'
 *
 * function Worth({ address }: { address: string }) {
 *   const { data } = usePortfolio({ address, historicalPrices: [24] })
 *   if (!data) return <p>…</p>
 *   return <p>{data.value_usd} USD{data.complete ? '' : ' at least'}, {data.changes[0]?.percent?.toFixed(1)} %</p>
 * }
 * ```
 */
export function usePortfolio<S = Portfolio>(
  parameters: QueryParameters<PortfolioParameters>,
  options: PortfolioOptions<S> & ClientOption = {},
): Snapshot<S> {
  return useSnapshot(useStream(watchPortfolio<S>, parameters, options))
}

/**
 * The value of one or several wallets in USD: in total, by chain, wallet and token, its change and its reliability, as
 * `usePortfolio`; suspends until there is data.
 *
 * @param parameters - The wallet or an array of wallets as `address`, the chains, and `historicalPrices` (hours) for
 *   changes.
 * @param options - Options of the stream, such as `refetchInterval` and `tailRefetchInterval` (milliseconds),
 *   `maxPages` and `select`; and `client`.
 * @returns The latest snapshot, which has data: `data` is the portfolio.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to display.
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
