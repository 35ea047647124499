import type { MaybeRefOrGetter } from 'vue'
import {
  type Balance,
  type BalancesParameters,
  type BalancesSnapshot,
  type CollectionOptions,
  type ListParameters,
  watchBalances,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotRef } from './SnapshotRef.ts'
import { useStream } from './useStream.ts'

/**
 * A wallet's token balances and their worth, one row a token, kept up to date while the component is mounted.
 *
 * When the parameters or options change, the snapshot is the new wallet's at once: pending, unless the cache knows it.
 *
 * @param parameters - The wallet, and which of its tokens: a value, a ref or a getter, as a whole or each by itself.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and `select`; and `client`.
 * @returns A computed reference to the newest snapshot: `data` holds the rows of all pages that are here, beside `hasNextPage` and
 * `fetchNextPage`. Errors are a state of it; reading it throws none of them.
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
  parameters: ReactiveParameters<ListParameters<BalancesParameters>>,
  options: MaybeRefOrGetter<CollectionOptions<Balance, S> & ClientOption> = {},
): SnapshotRef<BalancesSnapshot<S>> {
  return useStream(watchBalances<S>, parameters, options)
}
