import {
  type BalancesResponse,
  type Snapshot,
  type TokenBalanceParameters,
  type WatchOptions,
  watchTokenBalance,
} from '@headwater/core'
import { createStream } from './createStream.ts'
import type { ReactiveOptions } from './ReactiveOptions.ts'
import type { ReactiveParameters } from './ReactiveParameters.ts'
import type { SnapshotStore } from './SnapshotStore.ts'

/**
 * A store of what a wallet holds of one token and what that is worth, kept up to date while anyone subscribes.
 *
 * When the parameters or options change, the store holds the new question's snapshot: pending, unless the cache knows it.
 * Call it while a component is made, or anywhere with `client` in the options.
 *
 * @param parameters - The wallet, the token and its chain: a value, a getter (its `$state` is followed) or a store.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds) and `select`; and `client`. A value or a getter.
 * @returns A store of the newest snapshot. Errors are a state of it.
 * @throws {Error} when there is neither a client in the context nor in the options.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createTokenBalance } from '@headwater/svelte'
 *
 *   let { address }: { address: string } = $props()
 *   const ether = createTokenBalance(() => ({ address, tokenAddress: 'native', chainIds: [1] }))
 * </script>
 *
 * <p>{$ether.data?.balances[0]?.amount ?? '…'} wei</p>
 * ```
 */
export function createTokenBalance<S = BalancesResponse>(
  parameters: ReactiveParameters<TokenBalanceParameters>,
  options: ReactiveOptions<WatchOptions<BalancesResponse, S>> = {},
): SnapshotStore<Snapshot<S>> {
  return createStream(watchTokenBalance<S>, parameters, options)
}
