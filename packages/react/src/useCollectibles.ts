import {
  type Collectible,
  type CollectiblesParameters,
  type CollectionOptions,
  type CollectionSnapshot,
  type ListParameters,
  watchCollectibles,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useSnapshot } from './useSnapshot.ts'
import { useStream } from './useStream.ts'

/**
 * The NFTs of a wallet, the newest acquired first, kept up to date while the component is mounted.
 *
 * @param parameters - The wallet, and on which chains.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and `select`; and
 *   `client`.
 * @returns The newest snapshot: `data` is one row a token id. Errors are a state of it; rendering throws none of them.
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
  parameters: ListParameters<CollectiblesParameters>,
  options: CollectionOptions<Collectible, S> & ClientOption = {},
): CollectionSnapshot<Collectible, S> {
  return useSnapshot(useStream(watchCollectibles<S>, parameters, options))
}
