import {
  type PriceTick,
  type PriceToken,
  type Snapshot,
  watchPrice,
  type WatchPriceOptions,
} from '@headwater/core'
import { createStream } from './createStream.ts'
import type { ReactiveOptions } from './ReactiveOptions.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotStore } from './SnapshotStore.ts'

/**
 * A store of the price of a token, from wherever an answer told it, kept up to date while anyone subscribes. What nothing else
 * brings is asked for, together with all other prices that are due.
 *
 * When the parameters or options change, the store holds the new token's snapshot: pending, unless the cache knows it.
 * Call it while a component is made, or anywhere with `client` in the options.
 *
 * @param token - The token and its chain: a value, a getter (its `$state` is followed) or a store.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `historicalPrices` (hours) and `select`; and `client`. A value or a getter.
 * @returns A store of the newest snapshot. Errors are a state of it.
 * @throws {Error} when there is neither a client in the context nor in the options.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createPrice } from '@headwater/svelte'
 *
 *   const ether = createPrice({ chainId: 1, address: 'native' }, { historicalPrices: [24] })
 * </script>
 *
 * <p>{$ether.data?.price_usd ?? '…'} USD, {$ether.data?.changes?.[0]?.percent ?? '?'} %</p>
 * ```
 */
export function createPrice<S = PriceTick>(
  token: ReactiveParameters<PriceToken>,
  options: ReactiveOptions<WatchPriceOptions<PriceTick, S>> = {},
): SnapshotStore<Snapshot<S>> {
  return createStream(watchPrice<S>, token, options)
}
