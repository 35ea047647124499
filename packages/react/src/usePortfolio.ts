import {
  type Portfolio,
  type PortfolioOptions,
  type PortfolioParameters,
  type Snapshot,
  watchPortfolio,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useSnapshot } from './useSnapshot.ts'
import { useStream } from './useStream.ts'

/**
 * What a wallet is worth: in all, by chain, how that changed, and how far to trust it. Kept up to date while the
 * component is mounted, by the poll of `useBalances` with the same parameters: it asks for nothing else.
 *
 * @param parameters - The wallet, on which chains; `historicalPrices` (hours) for changes.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `maxPages` and `select`; and
 *   `client`.
 * @returns The newest snapshot: `data` is the portfolio, in USD. Errors are a state of it; rendering throws none of
 *   them.
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
  parameters: PortfolioParameters,
  options: PortfolioOptions<S> & ClientOption = {},
): Snapshot<S> {
  return useSnapshot(useStream(watchPortfolio<S>, parameters, options))
}
