import {
  type Balance,
  type BalancesParameters,
  type BalancesResponse,
  type BalancesSnapshot,
  type Collectible,
  type CollectiblesParameters,
  type CollectiblesSnapshot,
  type CollectionOptions,
  type CollectionSnapshot,
  type Holder,
  type ListParameters,
  type QueryParameters,
  type Snapshot,
  type TokenBalanceParameters,
  type TokenHoldersParameters,
  type TokenInfoParameters,
  type TokenInfoResponse,
  watchBalances,
  watchCollectibles,
  type WatchOptions,
  watchTokenBalance,
  watchTokenHolders,
  watchTokenInfo,
} from '@headwater/core'
import type { ReactiveOptions } from './client.ts'
import type { SnapshotStore } from './createSnapshot.ts'
import { createStream, type ReactiveParameters } from './createStream.ts'

/**
 * A store of a wallet's token balances and their value in USD, kept up to date while it has subscribers.
 *
 * When the parameters or options change, the store has the snapshot of the new ones: pending, unless their response
 * is cached. Call it while a component is initialized, or anywhere with `client` in the options.
 *
 * @param parameters - The wallet, its chains and filters: a value, a getter (its `$state` is tracked) or a store.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and
 *   `select`; and `client`. A value or a getter.
 * @returns A store of the latest snapshot: `data` has a row per token. Errors are part of it and not thrown.
 * @throws {Error} when there is neither a client in the context nor one in the options.
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
  parameters: ReactiveParameters<QueryParameters<ListParameters<BalancesParameters>>>,
  options: ReactiveOptions<CollectionOptions<Balance, S>> = {},
): SnapshotStore<BalancesSnapshot<S>> {
  return createStream(watchBalances<S>, parameters, options)
}

/**
 * A store of a wallet's balance of one token on one chain and its value in USD, kept up to date while it has
 * subscribers.
 *
 * When the parameters or options change, the store has the snapshot of the new ones: pending, unless their response
 * is cached. Call it while a component is initialized, or anywhere with `client` in the options.
 *
 * @param parameters - The wallet, the token and its chain: a value, a getter (its `$state` is tracked) or a store.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds) and `select`; and
 *   `client`. A value or a getter.
 * @returns A store of the latest snapshot: `data` is the response, whose `balances` has one row. Errors are part of
 *   it and not thrown.
 * @throws {Error} when there is neither a client in the context nor one in the options.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createTokenBalance } from '@headwater/svelte'
 *
 *   let { address }: { address: string } = $props()
 *   const ether = createTokenBalance(() => ({ address, tokenAddress: 'native', chainIds: [1] }))
 * </script>
 *
 * <p>{$ether.data?.balances[0]?.amount ?? '…'} wei</p>
 * ```
 */
export function createTokenBalance<S = BalancesResponse>(
  parameters: ReactiveParameters<QueryParameters<TokenBalanceParameters>>,
  options: ReactiveOptions<WatchOptions<BalancesResponse, S>> = {},
): SnapshotStore<Snapshot<S>> {
  return createStream(watchTokenBalance<S>, parameters, options)
}

/**
 * A store of the name, price, supply and other fields of a token or native asset, kept up to date while it has
 * subscribers.
 *
 * When the parameters or options change, the store has the snapshot of the new ones: pending, unless their response
 * is cached. Call it while a component is initialized, or anywhere with `client` in the options.
 *
 * @param parameters - The token and its chain: a value, a getter (its `$state` is tracked) or a store.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds) and `select`; and
 *   `client`. A value or a getter.
 * @returns A store of the latest snapshot: `data` is the response, whose `tokens` has a row per chain. Errors are
 *   part of it and not thrown.
 * @throws {Error} when there is neither a client in the context nor one in the options.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createTokenInfo } from '@headwater/svelte'
 *
 *   let { address }: { address: string } = $props()
 *   const info = createTokenInfo(() => ({ address, chainIds: [1] }))
 * </script>
 *
 * <p>{$info.data?.tokens[0]?.symbol ?? '…'}</p>
 * ```
 */
export function createTokenInfo<S = TokenInfoResponse>(
  parameters: ReactiveParameters<QueryParameters<TokenInfoParameters>>,
  options: ReactiveOptions<WatchOptions<TokenInfoResponse, S>> = {},
): SnapshotStore<Snapshot<S>> {
  return createStream(watchTokenInfo<S>, parameters, options)
}

/**
 * A store of the holders of a token, the largest first, kept up to date while it has subscribers.
 *
 * When the parameters or options change, the store has the snapshot of the new ones: pending, unless their response
 * is cached. Call it while a component is initialized, or anywhere with `client` in the options.
 *
 * @param parameters - The token and its chain: a value, a getter (its `$state` is tracked) or a store.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and
 *   `select`; and `client`. A value or a getter.
 * @returns A store of the latest snapshot: `data` has a row per holder. Errors are part of it and not thrown.
 * @throws {Error} when there is neither a client in the context nor one in the options.
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
  parameters: ReactiveParameters<QueryParameters<ListParameters<TokenHoldersParameters>>>,
  options: ReactiveOptions<CollectionOptions<Holder, S>> = {},
): SnapshotStore<CollectionSnapshot<Holder, S>> {
  return createStream(watchTokenHolders<S>, parameters, options)
}

/**
 * A store of a wallet's NFTs, the most recently acquired first, kept up to date while it has subscribers.
 *
 * When the parameters or options change, the store has the snapshot of the new ones: pending, unless their response
 * is cached. Call it while a component is initialized, or anywhere with `client` in the options.
 *
 * @param parameters - The wallet and its chains: a value, a getter (its `$state` is tracked) or a store.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and
 *   `select`; and `client`. A value or a getter.
 * @returns A store of the latest snapshot: `data` has a row per token id. Errors are part of it and not thrown.
 * @throws {Error} when there is neither a client in the context nor one in the options.
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
  parameters: ReactiveParameters<QueryParameters<ListParameters<CollectiblesParameters>>>,
  options: ReactiveOptions<CollectionOptions<Collectible, S>> = {},
): SnapshotStore<CollectiblesSnapshot<S>> {
  return createStream(watchCollectibles<S>, parameters, options)
}
