import type { MaybeRefOrGetter } from 'vue'
import {
  type CollectionOptions,
  type CollectionSnapshot,
  type Holder,
  type ListParameters,
  type TokenHoldersParameters,
  watchTokenHolders,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotRef } from './SnapshotRef.ts'
import { useStream } from './useStream.ts'

/**
 * Who holds a token, the largest holders first, kept up to date while the component is mounted.
 *
 * When the parameters or options change, the snapshot is the new token's at once: pending, unless the cache knows it.
 *
 * @param parameters - The token and its chain: a value, a ref or a getter, as a whole or each by itself.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and `select`; and `client`.
 * @returns A computed reference to the newest snapshot: `data` holds the rows of all pages that are here, beside `hasNextPage` and
 * `fetchNextPage`. Errors are a state of it; reading it throws none of them.
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
  parameters: ReactiveParameters<ListParameters<TokenHoldersParameters>>,
  options: MaybeRefOrGetter<CollectionOptions<Holder, S> & ClientOption> = {},
): SnapshotRef<CollectionSnapshot<Holder, S>> {
  return useStream(watchTokenHolders<S>, parameters, options)
}
