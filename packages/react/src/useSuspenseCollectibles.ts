import {
  type Collectible,
  type CollectiblesParameters,
  type CollectionOptions,
  type CollectionSnapshot,
  type ListParameters,
  watchCollectibles,
} from '@headwater/core'
import type { SuspenseOptions } from './SuspenseOptions.ts'
import type { SuspenseSnapshot } from './SuspenseSnapshot.ts'
import { useStream } from './useStream.ts'
import { useSuspenseSnapshot } from './useSuspenseSnapshot.ts'

/**
 * The NFTs of a wallet, the newest acquired first, as `useCollectibles`; suspends until they are known.
 *
 * @param parameters - The wallet, and on which chains.
 * @param options - How to watch, such as `refetchInterval` (milliseconds), `pageSize` and `select`; and `client`.
 * @returns The newest snapshot, which has data: `data` is one row a token id.
 * @throws {HeadwaterError} to the nearest error boundary when there is no data to show.
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
): SuspenseSnapshot<CollectionSnapshot<Collectible, S>> {
  return useSuspenseSnapshot(useStream(watchCollectibles<S>, parameters, options))
}
