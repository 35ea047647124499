import type { MaybeRefOrGetter } from 'vue'
import {
  type PriceList,
  type PriceToken,
  type Snapshot,
  type WatchPriceOptions,
  watchPrices,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotRef } from './SnapshotRef.ts'
import { useStream } from './useStream.ts'

/**
 * The prices of some tokens as one list, kept up to date while the component is mounted. It has a place for each token, in the
 * order given: undefined while its price is not known.
 *
 * When the parameters or options change, the snapshot is that of the new tokens at once: pending, unless the cache knows it.
 *
 * @param tokens - The tokens and their chains: a value, a ref or a getter, as a whole or each by itself.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `historicalPrices` (hours) and `select`; and `client`.
 * @returns A computed reference to the newest snapshot. Errors are a state of it; reading it throws none of them.
 * @throws {Error} when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { usePrices } from '@headwater/vue'
 *
 * const tokens = [1, 10, 8453].map((chainId) => ({ chainId, address: 'native' }))
 * const prices = usePrices(tokens)
 * </script>
 *
 * <template>
 *   <p v-for="(token, index) in tokens" :key="token.chainId">
 *     {{ token.chainId }}: {{ prices.data?.[index]?.price_usd ?? '…' }} USD
 *   </p>
 * </template>
 * ```
 */
export function usePrices<S = PriceList>(
  tokens: ReactiveParameters<readonly PriceToken[]>,
  options: MaybeRefOrGetter<WatchPriceOptions<PriceList, S> & ClientOption> = {},
): SnapshotRef<Snapshot<S>> {
  return useStream(watchPrices<S>, tokens, options)
}
