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
import type { ReactiveOptions } from './client.ts'
import type { SnapshotStore } from './createSnapshot.ts'
import { createStream, type ReactiveParameters } from './createStream.ts'

/**
 * A store of the price of a token, kept up to date while it has subscribers.
 *
 * Prices in responses that the page has anyway are used without a request. All others that its stores need are
 * requested together, by the requests that cost the fewest units.
 *
 * When the parameters or options change, the store has the snapshot of the new ones: pending, unless their response
 * is cached. Call it while a component is initialized, or anywhere with `client` in the options.
 *
 * @param token - The token and its chain: a value, a getter (its `$state` is tracked) or a store.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `historicalPrices`
 *   (hours) and `select`; and `client`. A value or a getter.
 * @returns A store of the latest snapshot: `data` is the price in USD, when it was seen and its changes. Errors are
 *   part of it and not thrown.
 * @throws {Error} when there is neither a client in the context nor one in the options.
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
  token: ReactiveParameters<QueryParameters<PriceToken>>,
  options: ReactiveOptions<WatchPriceOptions<PriceTick, S>> = {},
): SnapshotStore<Snapshot<S>> {
  return createStream(watchPrice<S>, token, options)
}

/**
 * A store of the prices of several tokens as one list, kept up to date while it has subscribers.
 *
 * When the parameters or options change, the store has the snapshot of the new ones: pending, unless their response
 * is cached. Call it while a component is initialized, or anywhere with `client` in the options.
 *
 * @param tokens - The tokens and their chains: a value, a getter (its `$state` is tracked) or a store.
 *   With `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `historicalPrices`
 *   (hours) and `select`; and `client`. A value or a getter.
 * @returns A store of the latest snapshot: `data` has an entry per token, in their order: undefined while its price
 *   is not known; `errors` has the error of each token, or null. Errors are part of it and not thrown.
 * @throws {Error} when there is neither a client in the context nor one in the options.
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
 *   <p>{chainId}: {$prices.data?.[index]?.price_usd ?? $prices.errors[index]?.shortMessage ?? '—'} USD</p>
 * {/each}
 * ```
 */
export function createPrices<S = PriceList>(
  tokens: ReactiveParameters<readonly PriceToken[] | SkipToken>,
  options: ReactiveOptions<WatchPriceOptions<PriceList, S>> = {},
): SnapshotStore<PricesSnapshot<S>> {
  return createStream(watchPrices<S>, tokens, options)
}
