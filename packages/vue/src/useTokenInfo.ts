import type { MaybeRefOrGetter } from 'vue'
import {
  type Snapshot,
  type TokenInfoParameters,
  type TokenInfoResponse,
  type WatchOptions,
  watchTokenInfo,
} from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotRef } from './SnapshotRef.ts'
import { useStream } from './useStream.ts'

/**
 * What is known of a token or of a native asset: its name, price and supply, kept up to date while the component is mounted.
 *
 * When the parameters or options change, the snapshot is the new token's at once: pending, unless the cache knows it.
 *
 * @param parameters - The token and its chain: a value, a ref or a getter, as a whole or each by itself.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds) and `select`; and `client`.
 * @returns A computed reference to the newest snapshot. Errors are a state of it; reading it throws none of them.
 * @throws {Error} when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { useTokenInfo } from '@headwater/vue'
 *
 * const props = defineProps<{ address: string }>()
 * const info = useTokenInfo({ address: () => props.address, chainIds: [1] })
 * </script>
 *
 * <template>
 *   <p>{{ info.data?.tokens[0]?.symbol ?? '…' }}</p>
 * </template>
 * ```
 */
export function useTokenInfo<S = TokenInfoResponse>(
  parameters: ReactiveParameters<TokenInfoParameters>,
  options: MaybeRefOrGetter<WatchOptions<TokenInfoResponse, S> & ClientOption> = {},
): SnapshotRef<Snapshot<S>> {
  return useStream(watchTokenInfo<S>, parameters, options)
}
