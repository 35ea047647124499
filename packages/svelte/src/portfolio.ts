import {
  type Portfolio,
  type PortfolioOptions,
  type PortfolioParameters,
  type QueryParameters,
  type Snapshot,
  watchPortfolio,
} from '@headwater/core'
import type { ReactiveOptions } from './client.ts'
import type { SnapshotStore } from './createSnapshot.ts'
import { createStream, type ReactiveParameters } from './createStream.ts'

/**
 * A store of the value of one or several wallets in USD: in total, by chain, wallet and token, its change and its
 * reliability, kept up to date while it has subscribers.
 *
 * It shares the poll of `createBalances` with the same parameters, and adds requests only for the pages after the
 * first. With several wallets, one that fails makes the portfolio incomplete, with a warning.
 *
 * When the parameters or options change, the store has the snapshot of the new ones: pending, unless their response is
 * cached. Call it while a component is initialized, or anywhere with `client` in the options.
 *
 * @param parameters - The wallet or an array of wallets as `address`, the chains, and `historicalPrices` (hours) for
 *   changes: a value, a getter (its `$state` is tracked) or a store. While a required one is undefined, or with
 *   `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` and `tailRefetchInterval`
 *   (milliseconds), `maxPages` and `select`; and `client`. A value or a getter.
 * @returns A store of the latest snapshot: `data` is the portfolio. Errors are part of it and not thrown.
 * @throws {Error} when there is neither a client in the context nor one in the options.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createPortfolio } from '@headwater/svelte'
 *
 *   let { address }: { address: string } = $props()
 *   const portfolio = createPortfolio(() => ({ address, historicalPrices: [24] }))
 * </script>
 *
 * {#if $portfolio.data}
 *   <p>{$portfolio.data.complete ? '' : 'at least'} {$portfolio.data.value_usd.toFixed(2)} USD</p>
 * {/if}
 * ```
 */
export function createPortfolio<S = Portfolio>(
  parameters: ReactiveParameters<QueryParameters<PortfolioParameters>>,
  options: ReactiveOptions<PortfolioOptions<S>> = {},
): SnapshotStore<Snapshot<S>> {
  return createStream(watchPortfolio<S>, parameters, options)
}
