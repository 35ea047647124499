import {
  type Balance,
  type BalancesParameters,
  type BalancesSnapshot,
  type CollectionOptions,
  type ListParameters,
  watchBalances,
} from '@headwater/core'
import { createStream } from './createStream.ts'
import type { ReactiveOptions } from './ReactiveOptions.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotStore } from './SnapshotStore.ts'

/**
 * A store of a wallet's token balances and their worth, one row a token, kept up to date while anyone subscribes.
 *
 * When the parameters or options change, the store holds the new wallet's snapshot: pending, unless the cache knows it.
 * Call it while a component is made, or anywhere with `client` in the options.
 *
 * @param parameters - The wallet, and which of its tokens: a value, a getter (its `$state` is followed) or a store.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and `select`; and `client`. A value or a getter.
 * @returns A store of the newest snapshot: `data` holds the rows of all pages that are here, beside `hasNextPage` and `fetchNextPage`. Errors are a state of it.
 * @throws {Error} when there is neither a client in the context nor in the options.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createBalances } from '@headwater/svelte'
 *
 *   let { address }: { address: string } = $props()
 *   const balances = createBalances(() => ({ address }))
 * </script>
 *
 * {#if $balances.status === 'pending'}
 *   <p>Loading…</p>
 * {:else}
 *   {#each $balances.data ?? [] as token}<p>{token.symbol}</p>{/each}
 * {/if}
 * ```
 */
export function createBalances<S = readonly Balance[]>(
  parameters: ReactiveParameters<ListParameters<BalancesParameters>>,
  options: ReactiveOptions<CollectionOptions<Balance, S>> = {},
): SnapshotStore<BalancesSnapshot<S>> {
  return createStream(watchBalances<S>, parameters, options)
}
