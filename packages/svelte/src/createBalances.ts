import {
  watchBalances,
  type Balance,
  type BalancesParameters,
  type BalancesSnapshot,
  type Client,
  type CollectionOptions,
  type ListParameters,
} from '@headwater/core'
import { derived, toStore, type Readable } from 'svelte/store'

import { findClient } from './clientContext.ts'
import { createSnapshot } from './createSnapshot.ts'
import { requireClient } from './requireClient.ts'

/** Options of {@link createBalances}: those of the core's `watchBalances`, and the client. */
export interface CreateBalancesOptions<S = readonly Balance[]> extends CollectionOptions<
  Balance,
  S
> {
  /** Used instead of the context's. */
  client?: Client
}

/**
 * A store of a wallet's token balances and their worth, kept up to date while anyone subscribes.
 *
 * When the parameters or options change, the store holds the new wallet's snapshot: pending, unless the cache knows it.
 * Call it while a component is made, or anywhere with `client` in the options.
 *
 * @param parameters - The wallet, and which of its tokens: a value, a getter (its `$state` is followed) or a store.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and `select`; and `client`.
 * A value or a getter.
 * @returns A store of the newest snapshot. Errors are a state of it.
 * @throws Error when there is neither a client in the context nor in the options.
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
  parameters:
    | ListParameters<BalancesParameters>
    | (() => ListParameters<BalancesParameters>)
    | Readable<ListParameters<BalancesParameters>>,
  options: CreateBalancesOptions<S> | (() => CreateBalancesOptions<S>) = {},
): Readable<BalancesSnapshot<S>> {
  const readOptions = typeof options === 'function' ? options : () => options
  const provided = findClient()
  const watch = (now: ListParameters<BalancesParameters>, options: CreateBalancesOptions<S>) => {
    const { client, ...watchOptions } = options
    return watchBalances(requireClient(client ?? provided), now, watchOptions)
  }
  const streams =
    'subscribe' in parameters
      ? derived([parameters, toStore(readOptions)], ([now, options]) => watch(now, options))
      : toStore(() =>
          watch(typeof parameters === 'function' ? parameters() : parameters, readOptions()),
        )
  // Whether this is a server does not change with the client.
  return createSnapshot(requireClient(readOptions().client ?? provided), streams)
}
