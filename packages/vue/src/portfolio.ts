import type { MaybeRefOrGetter } from 'vue'
import {
  type Portfolio,
  type PortfolioOptions,
  type PortfolioParameters,
  type QueryParameters,
  type Snapshot,
  watchPortfolio,
} from '@headwater/core'
import type { ClientOption } from './client.ts'
import type { SnapshotRef } from './useSnapshot.ts'
import { type ReactiveParameters, useStream } from './useStream.ts'

/**
 * The value of one or several wallets in USD: in total, by chain, wallet and token, its change and its reliability,
 * kept up to date while the component is mounted.
 *
 * It shares the poll of `useBalances` with the same parameters, and adds requests only for the pages after the first.
 * With several wallets, one that fails makes the portfolio incomplete, with a warning.
 *
 * When the parameters or options change, the ref has the snapshot of the new ones at once: pending, unless their
 * response is cached.
 *
 * @param parameters - The wallet or an array of wallets as `address`, the chains, and `historicalPrices` (hours) for
 *   changes: a value, a ref or a getter, of all of them or of each. While a required one is undefined, or with
 *   `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` and `tailRefetchInterval`
 *   (milliseconds), `maxPages` and `select`; and `client`. A value, a ref or a getter.
 * @returns A computed ref of the latest snapshot: `data` is the portfolio. Errors are part of it and not thrown.
 * @throws {Error} when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { usePortfolio } from '@headwater/vue'
 *
 * const props = defineProps<{ address: string }>()
 * const portfolio = usePortfolio({ address: () => props.address, historicalPrices: [24] })
 * </script>
 *
 * <template>
 *   <p v-if="portfolio.data">
 *     {{ portfolio.data.complete ? '' : 'at least' }} {{ portfolio.data.value_usd.toFixed(2) }} USD
 *   </p>
 * </template>
 * ```
 */
export function usePortfolio<S = Portfolio>(
  parameters: ReactiveParameters<QueryParameters<PortfolioParameters>>,
  options: MaybeRefOrGetter<PortfolioOptions<S> & ClientOption> = {},
): SnapshotRef<Snapshot<S>> {
  return useStream(watchPortfolio<S>, parameters, options)
}
