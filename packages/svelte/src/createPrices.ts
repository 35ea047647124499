import {
  type PriceList,
  type PriceToken,
  type Snapshot,
  type WatchPriceOptions,
  watchPrices,
} from '@headwater/core'
import { createStream } from './createStream.ts'
import type { ReactiveOptions } from './ReactiveOptions.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotStore } from './SnapshotStore.ts'

/**
 * A store of the prices of some tokens as one list, kept up to date while anyone subscribes. It has a place for each token, in
 * the order given: undefined while its price is not known.
 *
 * When the parameters or options change, the store holds the new tokens' snapshot: pending, unless the cache knows it.
 * Call it while a component is made, or anywhere with `client` in the options.
 *
 * @param tokens - The tokens and their chains: a value, a getter (its `$state` is followed) or a store.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `historicalPrices` (hours) and `select`; and `client`. A value or a getter.
 * @returns A store of the newest snapshot. Errors are a state of it.
 * @throws {Error} when there is neither a client in the context nor in the options.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createPrices } from '@headwater/svelte'
 *
 *   const tokens = [1, 10, 8453].map((chainId) => ({ chainId, address: 'native' }))
 *   const prices = createPrices(tokens)
 * </script>
 *
 * {#each tokens as { chainId }, index}
 *   <p>{chainId}: {$prices.data?.[index]?.price_usd ?? '…'} USD</p>
 * {/each}
 * ```
 */
export function createPrices<S = PriceList>(
  tokens: ReactiveParameters<readonly PriceToken[]>,
  options: ReactiveOptions<WatchPriceOptions<PriceList, S>> = {},
): SnapshotStore<Snapshot<S>> {
  return createStream(watchPrices<S>, tokens, options)
}
