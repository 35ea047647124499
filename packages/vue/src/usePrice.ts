import type { MaybeRefOrGetter } from 'vue'
import {
  type PriceTick,
  type PriceToken,
  type Snapshot,
  watchPrice,
  type WatchPriceOptions,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotRef } from './SnapshotRef.ts'
import { useStream } from './useStream.ts'

/**
 * The price of a token, from wherever an answer told it, kept up to date while the component is mounted. What nothing else
 * brings is asked for, together with all other prices that are due.
 *
 * When the parameters or options change, the snapshot is the new token's at once: pending, unless the cache knows it.
 *
 * @param token - The token and its chain: a value, a ref or a getter, as a whole or each by itself.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `historicalPrices` (hours) and `select`; and `client`.
 * @returns A computed reference to the newest snapshot. Errors are a state of it; reading it throws none of them.
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
  token: ReactiveParameters<PriceToken>,
  options: MaybeRefOrGetter<WatchPriceOptions<PriceTick, S> & ClientOption> = {},
): SnapshotRef<Snapshot<S>> {
  return useStream(watchPrice<S>, token, options)
}
