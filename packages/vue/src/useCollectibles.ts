import type { MaybeRefOrGetter } from 'vue'
import {
  type Collectible,
  type CollectiblesParameters,
  type CollectionOptions,
  type CollectionSnapshot,
  type ListParameters,
  watchCollectibles,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotRef } from './SnapshotRef.ts'
import { useStream } from './useStream.ts'

/**
 * A wallet's NFTs, the newest acquired first, one row a token id, kept up to date while the component is mounted.
 *
 * When the parameters or options change, the snapshot is the new wallet's at once: pending, unless the cache knows it.
 *
 * @param parameters - The wallet and its chains: a value, a ref or a getter, as a whole or each by itself.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and `select`; and `client`.
 * @returns A computed reference to the newest snapshot: `data` holds the rows of all pages that are here, beside `hasNextPage` and
 * `fetchNextPage`. Errors are a state of it; reading it throws none of them.
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
  parameters: ReactiveParameters<ListParameters<CollectiblesParameters>>,
  options: MaybeRefOrGetter<CollectionOptions<Collectible, S> & ClientOption> = {},
): SnapshotRef<CollectionSnapshot<Collectible, S>> {
  return useStream(watchCollectibles<S>, parameters, options)
}
