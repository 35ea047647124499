import {
  type CollectionOptions,
  type CollectionSnapshot,
  type Holder,
  type ListParameters,
  type TokenHoldersParameters,
  watchTokenHolders,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useSnapshot } from './useSnapshot.ts'
import { useStream } from './useStream.ts'

/**
 * Who holds a token, the largest holders first, kept up to date while the component is mounted.
 *
 * @param parameters - The token and its chain.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and `select`; and
 *   `client`.
 * @returns The newest snapshot: `data` is one row a holder. Errors are a state of it; rendering throws none of them.
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
  parameters: ListParameters<TokenHoldersParameters>,
  options: CollectionOptions<Holder, S> & ClientOption = {},
): CollectionSnapshot<Holder, S> {
  return useSnapshot(useStream(watchTokenHolders<S>, parameters, options))
}
