import {
  type Snapshot,
  type TokenInfoParameters,
  type TokenInfoResponse,
  type WatchOptions,
  watchTokenInfo,
} from '@headwater/core'
import { createStream } from './createStream.ts'
import type { ReactiveOptions } from './ReactiveOptions.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotStore } from './SnapshotStore.ts'

/**
 * A store of what is known of a token or of a native asset: its name, price and supply, kept up to date while anyone
 * subscribes.
 *
 * When the parameters or options change, the store holds the new token's snapshot: pending, unless the cache knows it.
 * Call it while a component is made, or anywhere with `client` in the options.
 *
 * @param parameters - The token and its chain: a value, a getter (its `$state` is followed) or a store.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds) and `select`; and `client`. A value or a getter.
 * @returns A store of the newest snapshot. Errors are a state of it.
 * @throws {Error} when there is neither a client in the context nor in the options.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createTokenInfo } from '@headwater/svelte'
 *
 *   let { address }: { address: string } = $props()
 *   const info = createTokenInfo(() => ({ address, chainIds: [1] }))
 * </script>
 *
 * <p>{$info.data?.tokens[0]?.symbol ?? '…'}</p>
 * ```
 */
export function createTokenInfo<S = TokenInfoResponse>(
  parameters: ReactiveParameters<TokenInfoParameters>,
  options: ReactiveOptions<WatchOptions<TokenInfoResponse, S>> = {},
): SnapshotStore<Snapshot<S>> {
  return createStream(watchTokenInfo<S>, parameters, options)
}
