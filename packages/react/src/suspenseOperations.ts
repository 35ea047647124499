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
import { useStream } from './useStream.ts'
import {
  type SuspenseOptions,
  type SuspenseSnapshot,
  useSuspenseSnapshot,
} from './useSuspenseSnapshot.ts'

/**
 * A wallet's token balances and their value in USD, as `useBalances`; suspends until there is data.
 *
 * @param parameters - The wallet, its chains and filters.
 * @param options - Options of the stream, such as `refetchInterval` (milliseconds), `pageSize` and `select`; and
 *   `client`.
 * @returns The latest snapshot, which has data: `data` has a row per token.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to display.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useSuspenseBalances } from '@headwater/react'
 * import { Suspense } from 'react'
 *
 * function Wallet({ address }: { address: string }) {
 *   const { data } = useSuspenseBalances({ address })
 *   return <p>{data.length} tokens</p>
 * }
 *
 * export const Page = ({ address }: { address: string }) => (
 *   <Suspense fallback={<p>Loading…</p>}>
 *     <Wallet address={address} />
 *   </Suspense>
 * )
 * ```
 */
export function useSuspenseBalances<S = readonly Balance[]>(
  parameters: ListParameters<BalancesParameters>,
  options: SuspenseOptions<CollectionOptions<Balance, S>> = {},
): SuspenseSnapshot<BalancesSnapshot<S>> {
  return useSuspenseSnapshot(useStream(watchBalances<S>, parameters, options))
}

/**
 * A wallet's balance of one token on one chain and its value in USD, as `useTokenBalance`; suspends until there is
 * data.
 *
 * @param parameters - The wallet, the token and its chain.
 * @param options - Options of the stream, such as `refetchInterval` (milliseconds) and `select`; and `client`.
 * @returns The latest snapshot, which has data: `data` is the response, whose `balances` has one row.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to display.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useSuspenseTokenBalance } from '@headwater/react'
 * import { Suspense } from 'react'
 *
 * function Ether({ address }: { address: string }) {
 *   const { data } = useSuspenseTokenBalance({ address, tokenAddress: 'native', chainIds: [1] })
 *   return <p>{data.balances[0]?.value_usd} USD in ether</p>
 * }
 *
 * export const Page = ({ address }: { address: string }) => (
 *   <Suspense fallback={<p>Loading…</p>}>
 *     <Ether address={address} />
 *   </Suspense>
 * )
 * ```
 */
export function useSuspenseTokenBalance<S = BalancesResponse>(
  parameters: TokenBalanceParameters,
  options: SuspenseOptions<WatchOptions<BalancesResponse, S>> = {},
): SuspenseSnapshot<Snapshot<S>> {
  return useSuspenseSnapshot(useStream(watchTokenBalance<S>, parameters, options))
}

/**
 * The name, price, supply and other fields of a token or native asset, as `useTokenInfo`; suspends until there is
 * data.
 *
 * @param parameters - The token and its chain.
 * @param options - Options of the stream, such as `refetchInterval` (milliseconds) and `select`; and `client`.
 * @returns The latest snapshot, which has data: `data` is the response, whose `tokens` has a row per chain.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to display.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useSuspenseTokenInfo } from '@headwater/react'
 * import { Suspense } from 'react'
 *
 * function Name({ address }: { address: string }) {
 *   const { data } = useSuspenseTokenInfo({ address, chainIds: [1] })
 *   return <h1>{data.tokens[0]?.name}</h1>
 * }
 *
 * export const Page = ({ address }: { address: string }) => (
 *   <Suspense fallback={<p>Loading…</p>}>
 *     <Name address={address} />
 *   </Suspense>
 * )
 * ```
 */
export function useSuspenseTokenInfo<S = TokenInfoResponse>(
  parameters: TokenInfoParameters,
  options: SuspenseOptions<WatchOptions<TokenInfoResponse, S>> = {},
): SuspenseSnapshot<Snapshot<S>> {
  return useSuspenseSnapshot(useStream(watchTokenInfo<S>, parameters, options))
}

/**
 * The holders of a token, the largest first, as `useTokenHolders`; suspends until there is data.
 *
 * @param parameters - The token and its chain.
 * @param options - Options of the stream, such as `refetchInterval` (milliseconds), `pageSize` and `select`; and
 *   `client`.
 * @returns The latest snapshot, which has data: `data` has a row per holder.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to display.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useSuspenseTokenHolders } from '@headwater/react'
 * import { Suspense } from 'react'
 *
 * function Largest({ address }: { address: string }) {
 *   const { data } = useSuspenseTokenHolders({ chainId: 1, address })
 *   return <p>{data[0]?.wallet_address}</p>
 * }
 *
 * export const Page = ({ address }: { address: string }) => (
 *   <Suspense fallback={<p>Loading…</p>}>
 *     <Largest address={address} />
 *   </Suspense>
 * )
 * ```
 */
export function useSuspenseTokenHolders<S = readonly Holder[]>(
  parameters: ListParameters<TokenHoldersParameters>,
  options: SuspenseOptions<CollectionOptions<Holder, S>> = {},
): SuspenseSnapshot<CollectionSnapshot<Holder, S>> {
  return useSuspenseSnapshot(useStream(watchTokenHolders<S>, parameters, options))
}

/**
 * A wallet's NFTs, the most recently acquired first, as `useCollectibles`; suspends until there is data.
 *
 * @param parameters - The wallet and its chains.
 * @param options - Options of the stream, such as `refetchInterval` (milliseconds), `pageSize` and `select`; and
 *   `client`.
 * @returns The latest snapshot, which has data: `data` has a row per token id.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to display.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useSuspenseCollectibles } from '@headwater/react'
 * import { Suspense } from 'react'
 *
 * function Gallery({ address }: { address: string }) {
 *   const { data } = useSuspenseCollectibles({ address, chainIds: [1] })
 *   return <p>{data.length} collectibles</p>
 * }
 *
 * export const Page = ({ address }: { address: string }) => (
 *   <Suspense fallback={<p>Loading…</p>}>
 *     <Gallery address={address} />
 *   </Suspense>
 * )
 * ```
 */
export function useSuspenseCollectibles<S = readonly Collectible[]>(
  parameters: ListParameters<CollectiblesParameters>,
  options: SuspenseOptions<CollectionOptions<Collectible, S>> = {},
): SuspenseSnapshot<CollectiblesSnapshot<S>> {
  return useSuspenseSnapshot(useStream(watchCollectibles<S>, parameters, options))
}
