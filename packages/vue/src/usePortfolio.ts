import type { MaybeRefOrGetter } from 'vue'
import {
  type Portfolio,
  type PortfolioOptions,
  type PortfolioParameters,
  type Snapshot,
  watchPortfolio,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotRef } from './SnapshotRef.ts'
import { useStream } from './useStream.ts'

/**
 * What a wallet is worth: in all, by chain, how that changed, and how far to trust it; kept up to date while the component is
 * mounted. It lives on the poll of `useBalances` with the same parameters.
 *
 * When the parameters or options change, the snapshot is the new wallet's at once: pending, unless the cache knows it.
 *
 * @param parameters - The wallet and its chains, with `historicalPrices` (hours) for changes: a value, a ref or a getter, as a
 * whole or each by itself.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `maxPages` and `select`; and `client`.
 * @returns A computed reference to the newest snapshot. Errors are a state of it; reading it throws none of them.
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
  parameters: ReactiveParameters<PortfolioParameters>,
  options: MaybeRefOrGetter<PortfolioOptions<S> & ClientOption> = {},
): SnapshotRef<Snapshot<S>> {
  return useStream(watchPortfolio<S>, parameters, options)
}
