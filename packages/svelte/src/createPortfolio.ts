import {
  type Portfolio,
  type PortfolioOptions,
  type PortfolioParameters,
  type Snapshot,
  watchPortfolio,
} from '@headwater/core'
import { createStream } from './createStream.ts'
import type { ReactiveOptions } from './ReactiveOptions.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotStore } from './SnapshotStore.ts'

/**
 * A store of what a wallet is worth: in all, by chain, how that changed, and how far to trust it; kept up to date while anyone
 * subscribes. It lives on the poll of `createBalances` with the same parameters.
 *
 * When the parameters or options change, the store holds the new wallet's snapshot: pending, unless the cache knows it.
 * Call it while a component is made, or anywhere with `client` in the options.
 *
 * @param parameters - The wallet and its chains, with `historicalPrices` (hours) for changes: a value, a getter (its `$state` is followed) or a store.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `maxPages` and `select`; and `client`. A value or a getter.
 * @returns A store of the newest snapshot. Errors are a state of it.
 * @throws {Error} when there is neither a client in the context nor in the options.
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
  parameters: ReactiveParameters<PortfolioParameters>,
  options: ReactiveOptions<PortfolioOptions<S>> = {},
): SnapshotStore<Snapshot<S>> {
  return createStream(watchPortfolio<S>, parameters, options)
}
