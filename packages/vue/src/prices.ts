import type { MaybeRefOrGetter } from 'vue'
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
import type { ClientOption } from './client.ts'
import type { SnapshotRef } from './useSnapshot.ts'
import { type ReactiveParameters, useStream } from './useStream.ts'

/**
 * The price of a token, kept up to date while the component is mounted.
 *
 * Prices in responses that the page has anyway are used without a request. All others that its composables need are
 * requested together, by the requests that cost the fewest units.
 *
 * When the parameters or options change, the ref has the snapshot of the new ones at once: pending, unless their
 * response is cached.
 *
 * @param token - The token and its chain: a value, a ref or a getter, of all of them or of each.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `historicalPrices`
 *   (hours) and `select`; and `client`. A value, a ref or a getter.
 * @returns A computed ref of the latest snapshot: `data` is the price in USD, when it was seen and its changes.
 *   Errors are part of it and not thrown.
 * @throws {Error} when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { usePrice } from '@headwater/vue'
 *
 * const ether = usePrice({ chainId: 1, address: 'native' }, { historicalPrices: [24] })
 * </script>
 *
 * <template>
 *   <p>{{ ether.data?.price_usd ?? '…' }} USD, {{ ether.data?.changes?.[0]?.percent ?? '?' }} %</p>
 * </template>
 * ```
 */
export function usePrice<S = PriceTick>(
  token: ReactiveParameters<QueryParameters<PriceToken>>,
  options: MaybeRefOrGetter<WatchPriceOptions<PriceTick, S> & ClientOption> = {},
): SnapshotRef<Snapshot<S>> {
  return useStream(watchPrice<S>, token, options)
}

/**
 * The prices of several tokens as one list, kept up to date while the component is mounted.
 *
 * When the parameters or options change, the ref has the snapshot of the new ones at once: pending, unless their
 * response is cached.
 *
 * @param tokens - The tokens and their chains: a value, a ref or a getter, of all of them or of each.
 *   With `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `historicalPrices`
 *   (hours) and `select`; and `client`. A value, a ref or a getter.
 * @returns A computed ref of the latest snapshot: `data` has an entry per token, in their order: undefined while its
 *   price is not known; `errors` has the error of each token, or null. Errors are part of it and not thrown.
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
 *     {{ token.chainId }}: {{ prices.data?.[index]?.price_usd ?? prices.errors[index]?.shortMessage ?? '—' }} USD
 *   </p>
 * </template>
 * ```
 */
export function usePrices<S = PriceList>(
  tokens: ReactiveParameters<readonly PriceToken[] | SkipToken>,
  options: MaybeRefOrGetter<WatchPriceOptions<PriceList, S> & ClientOption> = {},
): SnapshotRef<PricesSnapshot<S>> {
  return useStream(watchPrices<S>, tokens, options)
}
