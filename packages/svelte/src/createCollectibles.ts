import {
  type Collectible,
  type CollectiblesParameters,
  type CollectionOptions,
  type CollectionSnapshot,
  type ListParameters,
  watchCollectibles,
} from '@headwater/core'
import { createStream } from './createStream.ts'
import type { ReactiveOptions } from './ReactiveOptions.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotStore } from './SnapshotStore.ts'

/**
 * A store of a wallet's NFTs, the newest acquired first, one row a token id, kept up to date while anyone subscribes.
 *
 * When the parameters or options change, the store holds the new wallet's snapshot: pending, unless the cache knows it.
 * Call it while a component is made, or anywhere with `client` in the options.
 *
 * @param parameters - The wallet and its chains: a value, a getter (its `$state` is followed) or a store.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and `select`; and `client`. A value or a getter.
 * @returns A store of the newest snapshot: `data` holds the rows of all pages that are here, beside `hasNextPage` and `fetchNextPage`. Errors are a state of it.
 * @throws {Error} when there is neither a client in the context nor in the options.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createCollectibles } from '@headwater/svelte'
 *
 *   let { address }: { address: string } = $props()
 *   const collectibles = createCollectibles(() => ({ address }), { pageSize: 24 })
 * </script>
 *
 * {#each $collectibles.data ?? [] as item}
 *   <figure><img src={item.image_url} alt="" /><figcaption>{item.name}</figcaption></figure>
 * {/each}
 * ```
 */
export function createCollectibles<S = readonly Collectible[]>(
  parameters: ReactiveParameters<ListParameters<CollectiblesParameters>>,
  options: ReactiveOptions<CollectionOptions<Collectible, S>> = {},
): SnapshotStore<CollectionSnapshot<Collectible, S>> {
  return createStream(watchCollectibles<S>, parameters, options)
}
