import {
  type CollectionOptions,
  type CollectionSnapshot,
  type Holder,
  type ListParameters,
  type TokenHoldersParameters,
  watchTokenHolders,
} from '@headwater/core'
import type { SuspenseOptions } from './SuspenseOptions.ts'
import type { SuspenseSnapshot } from './SuspenseSnapshot.ts'
import { useStream } from './useStream.ts'
import { useSuspenseSnapshot } from './useSuspenseSnapshot.ts'

/**
 * Who holds a token, the largest holders first, as `useTokenHolders`; suspends until they are known.
 *
 * @param parameters - The token and its chain.
 * @param options - How to watch, such as `refetchInterval` (milliseconds), `pageSize` and `select`; and `client`.
 * @returns The newest snapshot, which has data: `data` is one row a holder.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to show.
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
