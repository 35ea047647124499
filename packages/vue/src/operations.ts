import type { MaybeRefOrGetter } from 'vue'
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
import type { ClientOption } from './client.ts'
import type { SnapshotRef } from './useSnapshot.ts'
import { type ReactiveParameters, useStream } from './useStream.ts'

/**
 * A wallet's token balances and their value in USD, kept up to date while the component is mounted.
 *
 * When the parameters or options change, the ref has the snapshot of the new ones at once: pending, unless their
 * response is cached.
 *
 * @param parameters - The wallet, its chains and filters: a value, a ref or a getter, of all of them or of each.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and
 *   `select`; and `client`. A value, a ref or a getter.
 * @returns A computed ref of the latest snapshot: `data` has a row per token. Errors are part of it and not thrown.
 * @throws {Error} when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { useBalances } from '@headwater/vue'
 *
 * const props = defineProps<{ address: string }>()
 * const balances = useBalances({ address: () => props.address })
 * </script>
 *
 * <template>
 *   <p v-if="balances.status === 'pending'">Loading…</p>
 *   <ul v-else>
 *     <li v-for="token in balances.data" :key="`${token.chain_id}/${token.address}`">
 *       {{ token.symbol }}
 *     </li>
 *   </ul>
 * </template>
 * ```
 */
export function useBalances<S = readonly Balance[]>(
  parameters: ReactiveParameters<QueryParameters<ListParameters<BalancesParameters>>>,
  options: MaybeRefOrGetter<CollectionOptions<Balance, S> & ClientOption> = {},
): SnapshotRef<BalancesSnapshot<S>> {
  return useStream(watchBalances<S>, parameters, options)
}

/**
 * A wallet's balance of one token on one chain and its value in USD, kept up to date while the component is mounted.
 *
 * When the parameters or options change, the ref has the snapshot of the new ones at once: pending, unless their
 * response is cached.
 *
 * @param parameters - The wallet, the token and its chain: a value, a ref or a getter, of all of them or of each.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds) and `select`; and
 *   `client`. A value, a ref or a getter.
 * @returns A computed ref of the latest snapshot: `data` is the response, whose `balances` has one row. Errors are
 *   part of it and not thrown.
 * @throws {Error} when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { useTokenBalance } from '@headwater/vue'
 *
 * const props = defineProps<{ address: string }>()
 * const ether = useTokenBalance({
 *   address: () => props.address,
 *   tokenAddress: 'native',
 *   chainIds: [1],
 * })
 * </script>
 *
 * <template>
 *   <p>{{ ether.data?.balances[0]?.amount ?? '…' }} wei</p>
 * </template>
 * ```
 */
export function useTokenBalance<S = BalancesResponse>(
  parameters: ReactiveParameters<QueryParameters<TokenBalanceParameters>>,
  options: MaybeRefOrGetter<WatchOptions<BalancesResponse, S> & ClientOption> = {},
): SnapshotRef<Snapshot<S>> {
  return useStream(watchTokenBalance<S>, parameters, options)
}

/**
 * The name, price, supply and other fields of a token or native asset, kept up to date while the component is
 * mounted.
 *
 * When the parameters or options change, the ref has the snapshot of the new ones at once: pending, unless their
 * response is cached.
 *
 * @param parameters - The token and its chain: a value, a ref or a getter, of all of them or of each.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds) and `select`; and
 *   `client`. A value, a ref or a getter.
 * @returns A computed ref of the latest snapshot: `data` is the response, whose `tokens` has a row per chain. Errors
 *   are part of it and not thrown.
 * @throws {Error} when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { useTokenInfo } from '@headwater/vue'
 *
 * const props = defineProps<{ address: string }>()
 * const info = useTokenInfo({ address: () => props.address, chainIds: [1] })
 * </script>
 *
 * <template>
 *   <p>{{ info.data?.tokens[0]?.symbol ?? '…' }}</p>
 * </template>
 * ```
 */
export function useTokenInfo<S = TokenInfoResponse>(
  parameters: ReactiveParameters<QueryParameters<TokenInfoParameters>>,
  options: MaybeRefOrGetter<WatchOptions<TokenInfoResponse, S> & ClientOption> = {},
): SnapshotRef<Snapshot<S>> {
  return useStream(watchTokenInfo<S>, parameters, options)
}

/**
 * The holders of a token, the largest first, kept up to date while the component is mounted.
 *
 * When the parameters or options change, the ref has the snapshot of the new ones at once: pending, unless their
 * response is cached.
 *
 * @param parameters - The token and its chain: a value, a ref or a getter, of all of them or of each.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and
 *   `select`; and `client`. A value, a ref or a getter.
 * @returns A computed ref of the latest snapshot: `data` has a row per holder. Errors are part of it and not thrown.
 * @throws {Error} when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { useTokenHolders } from '@headwater/vue'
 *
 * const props = defineProps<{ address: string }>()
 * const holders = useTokenHolders({ chainId: 1, address: () => props.address }, { pageSize: 50 })
 * </script>
 *
 * <template>
 *   <p v-for="holder in holders.data" :key="holder.wallet_address">{{ holder.wallet_address }}</p>
 *   <button :disabled="!holders.hasNextPage" @click="holders.fetchNextPage()">More</button>
 * </template>
 * ```
 */
export function useTokenHolders<S = readonly Holder[]>(
  parameters: ReactiveParameters<QueryParameters<ListParameters<TokenHoldersParameters>>>,
  options: MaybeRefOrGetter<CollectionOptions<Holder, S> & ClientOption> = {},
): SnapshotRef<CollectionSnapshot<Holder, S>> {
  return useStream(watchTokenHolders<S>, parameters, options)
}

/**
 * A wallet's NFTs, the most recently acquired first, kept up to date while the component is mounted.
 *
 * When the parameters or options change, the ref has the snapshot of the new ones at once: pending, unless their
 * response is cached.
 *
 * @param parameters - The wallet and its chains: a value, a ref or a getter, of all of them or of each.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and
 *   `select`; and `client`. A value, a ref or a getter.
 * @returns A computed ref of the latest snapshot: `data` has a row per token id. Errors are part of it and not
 *   thrown.
 * @throws {Error} when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { useCollectibles } from '@headwater/vue'
 *
 * const props = defineProps<{ address: string }>()
 * const collectibles = useCollectibles({ address: () => props.address }, { pageSize: 24 })
 * </script>
 *
 * <template>
 *   <figure v-for="item in collectibles.data" :key="`${item.contract_address}/${item.token_id}`">
 *     <img :src="item.image_url" alt="" />
 *     <figcaption>{{ item.name }}</figcaption>
 *   </figure>
 * </template>
 * ```
 */
export function useCollectibles<S = readonly Collectible[]>(
  parameters: ReactiveParameters<QueryParameters<ListParameters<CollectiblesParameters>>>,
  options: MaybeRefOrGetter<CollectionOptions<Collectible, S> & ClientOption> = {},
): SnapshotRef<CollectiblesSnapshot<S>> {
  return useStream(watchCollectibles<S>, parameters, options)
}
