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
import type { ClientOption } from './client.tsx'
import { useSnapshot } from './useSnapshot.ts'
import { useStream } from './useStream.ts'

/**
 * A wallet's token balances and their value in USD, kept up to date while the component is mounted.
 *
 * Parameters and options may be new objects in each render, as they are compared by value. When they change, that
 * same render returns the snapshot of the new wallet: pending, unless its response is cached.
 *
 * @param parameters - The wallet, its chains and filters.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and
 *   `select`; and `client`.
 * @returns The latest snapshot: `data` has a row per token. Errors are part of it and not thrown.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useBalances } from '@headwater/react'
 *
 * function Wallet({ address }: { address: string }) {
 *   const { status, data, error } = useBalances({ address })
 *   if (status === 'pending') return <p>Loading…</p>
 *   if (!data) return <p>{error?.message}</p>
 *   return <ul>{data.map((token) => <li key={`${token.chain_id}/${token.address}`}>{token.symbol}</li>)}</ul>
 * }
 * ```
 */
export function useBalances<S = readonly Balance[]>(
  parameters: QueryParameters<ListParameters<BalancesParameters>>,
  options: CollectionOptions<Balance, S> & ClientOption = {},
): BalancesSnapshot<S> {
  return useSnapshot(useStream(watchBalances<S>, parameters, options))
}

/**
 * A wallet's balance of one token on one chain and its value in USD, kept up to date while the component is mounted.
 *
 * @param parameters - The wallet, the token and its chain.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds) and `select`; and
 *   `client`.
 * @returns The latest snapshot: `data` is the response, whose `balances` has one row. Errors are part of it and not
 *   thrown.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { formatAmount } from '@headwater/core'
 * import { useTokenBalance } from '@headwater/react'
 *
 * function Ether({ address }: { address: string }) {
 *   const { data } = useTokenBalance({ address, tokenAddress: 'native', chainIds: [1] })
 *   const row = data?.balances[0]
 *   return <p>{row ? formatAmount(row.amount, row.decimals ?? 18) : '…'} ETH</p>
 * }
 * ```
 */
export function useTokenBalance<S = BalancesResponse>(
  parameters: QueryParameters<TokenBalanceParameters>,
  options: WatchOptions<BalancesResponse, S> & ClientOption = {},
): Snapshot<S> {
  return useSnapshot(useStream(watchTokenBalance<S>, parameters, options))
}

/**
 * The name, price, supply and other fields of a token or native asset, kept up to date while the component is
 * mounted.
 *
 * @param parameters - The token and its chain.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds) and `select`; and
 *   `client`.
 * @returns The latest snapshot: `data` is the response, whose `tokens` has a row per chain. Errors are part of it and
 *   not thrown.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useTokenInfo } from '@headwater/react'
 *
 * function Name({ address }: { address: string }) {
 *   const { data } = useTokenInfo({ address, chainIds: [1] })
 *   return <h1>{data?.tokens[0]?.name ?? '…'}</h1>
 * }
 * ```
 */
export function useTokenInfo<S = TokenInfoResponse>(
  parameters: QueryParameters<TokenInfoParameters>,
  options: WatchOptions<TokenInfoResponse, S> & ClientOption = {},
): Snapshot<S> {
  return useSnapshot(useStream(watchTokenInfo<S>, parameters, options))
}

/**
 * The holders of a token, the largest first, kept up to date while the component is mounted.
 *
 * @param parameters - The token and its chain.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and
 *   `select`; and `client`.
 * @returns The latest snapshot: `data` has a row per holder. Errors are part of it and not thrown.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useTokenHolders } from '@headwater/react'
 *
 * function Holders({ address }: { address: string }) {
 *   const { data, hasNextPage, fetchNextPage } = useTokenHolders({ chainId: 1, address }, { pageSize: 50 })
 *   return (
 *     <>
 *       <ol>{data?.map((holder) => <li key={holder.wallet_address}>{holder.wallet_address}</li>)}</ol>
 *       {hasNextPage && <button onClick={() => void fetchNextPage()}>More</button>}
 *     </>
 *   )
 * }
 * ```
 */
export function useTokenHolders<S = readonly Holder[]>(
  parameters: QueryParameters<ListParameters<TokenHoldersParameters>>,
  options: CollectionOptions<Holder, S> & ClientOption = {},
): CollectionSnapshot<Holder, S> {
  return useSnapshot(useStream(watchTokenHolders<S>, parameters, options))
}

/**
 * A wallet's NFTs, the most recently acquired first, kept up to date while the component is mounted.
 *
 * @param parameters - The wallet and its chains.
 *   While a required one is undefined, or with `skipToken`, nothing is requested.
 * @param options - Options of the stream, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and
 *   `select`; and `client`.
 * @returns The latest snapshot: `data` has a row per token id. Errors are part of it and not thrown.
 * @throws {Error} when there is neither a provider above nor a client in the options.
 *
 * @example
 * ```tsx
 * import { useCollectibles } from '@headwater/react'
 *
 * function Gallery({ address }: { address: string }) {
 *   const { data } = useCollectibles({ address, chainIds: [1] }, { pageSize: 24 })
 *   return data?.map(({ contract_address, token_id, name, image_url }) => (
 *     <img key={`${contract_address}/${token_id}`} src={image_url} alt={name ?? token_id} />
 *   ))
 * }
 * ```
 */
export function useCollectibles<S = readonly Collectible[]>(
  parameters: QueryParameters<ListParameters<CollectiblesParameters>>,
  options: CollectionOptions<Collectible, S> & ClientOption = {},
): CollectiblesSnapshot<S> {
  return useSnapshot(useStream(watchCollectibles<S>, parameters, options))
}
