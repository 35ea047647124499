import {
  type CollectionOptions,
  type CollectionSnapshot,
  type Holder,
  type ListParameters,
  type TokenHoldersParameters,
  watchTokenHolders,
} from '@headwater/core'
import { createStream } from './createStream.ts'
import type { ReactiveOptions } from './ReactiveOptions.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotStore } from './SnapshotStore.ts'

/**
 * A store of who holds a token, the largest holders first, kept up to date while anyone subscribes.
 *
 * When the parameters or options change, the store holds the new token's snapshot: pending, unless the cache knows it.
 * Call it while a component is made, or anywhere with `client` in the options.
 *
 * @param parameters - The token and its chain: a value, a getter (its `$state` is followed) or a store.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and `select`; and `client`. A value or a getter.
 * @returns A store of the newest snapshot: `data` holds the rows of all pages that are here, beside `hasNextPage` and `fetchNextPage`. Errors are a state of it.
 * @throws {Error} when there is neither a client in the context nor in the options.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createTokenHolders } from '@headwater/svelte'
 *
 *   let { address }: { address: string } = $props()
 *   const holders = createTokenHolders(() => ({ chainId: 1, address }), { pageSize: 50 })
 * </script>
 *
 * {#each $holders.data ?? [] as holder}<p>{holder.wallet_address}</p>{/each}
 * <button disabled={!$holders.hasNextPage} onclick={() => $holders.fetchNextPage()}>More</button>
 * ```
 */
export function createTokenHolders<S = readonly Holder[]>(
  parameters: ReactiveParameters<ListParameters<TokenHoldersParameters>>,
  options: ReactiveOptions<CollectionOptions<Holder, S>> = {},
): SnapshotStore<CollectionSnapshot<Holder, S>> {
  return createStream(watchTokenHolders<S>, parameters, options)
}
