import type { MaybeRefOrGetter } from 'vue'
import {
  type BalancesResponse,
  type Snapshot,
  type TokenBalanceParameters,
  type WatchOptions,
  watchTokenBalance,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotRef } from './SnapshotRef.ts'
import { useStream } from './useStream.ts'

/**
 * What a wallet holds of one token and what that is worth, kept up to date while the component is mounted.
 *
 * When the parameters or options change, the snapshot is that of the new question at once: pending, unless the cache knows it.
 *
 * @param parameters - The wallet, the token and its chain: a value, a ref or a getter, as a whole or each by itself.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds) and `select`; and `client`.
 * @returns A computed reference to the newest snapshot. Errors are a state of it; reading it throws none of them.
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
  parameters: ReactiveParameters<TokenBalanceParameters>,
  options: MaybeRefOrGetter<WatchOptions<BalancesResponse, S> & ClientOption> = {},
): SnapshotRef<Snapshot<S>> {
  return useStream(watchTokenBalance<S>, parameters, options)
}
