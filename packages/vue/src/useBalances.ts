import {
  watchBalances,
  type Balance,
  type BalancesParameters,
  type BalancesSnapshot,
  type Client,
  type CollectionOptions,
  type ListParameters,
} from '@headwater/core'
import { toRaw, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue'

import { injectClient } from './injectClient.ts'
import { requireClient } from './requireClient.ts'
import { useSnapshot } from './useSnapshot.ts'

/** Options of {@link useBalances}: those of the core's `watchBalances`, and the client. */
export interface UseBalancesOptions<S = readonly Balance[]> extends CollectionOptions<Balance, S> {
  /** Used instead of the plugin's. */
  client?: Client
}

/**
 * A wallet's token balances and their worth, kept up to date while the component is mounted.
 *
 * When the parameters or options change, the snapshot is the new wallet's at once: pending, unless the cache knows it.
 *
 * @param parameters - The wallet, and which of its tokens: a value, a ref or a getter.
 * @param options - How to watch, such as `enabled`, `refetchInterval` (milliseconds), `pageSize` and `select`; and `client`.
 * @returns A computed reference to the newest snapshot. Errors are a state of it; reading it throws none of them.
 * @throws Error when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { useBalances } from '@headwater/vue'
 *
 * const props = defineProps<{ address: string }>()
 * const balances = useBalances(() => ({ address: props.address }))
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
  parameters: MaybeRefOrGetter<ListParameters<BalancesParameters>>,
  options: MaybeRefOrGetter<UseBalancesOptions<S>> = {},
): ComputedRef<BalancesSnapshot<S>> {
  const provided = injectClient()
  // Now rather than at the first read, so that the error points at who forgot the client.
  requireClient(toValue(options).client ?? provided)
  return useSnapshot(() => {
    const { client: own, ...watchOptions } = toValue(options)
    const client = requireClient(own ?? provided)
    // A deep ref of options hands out a proxy of the client, which its private fields do not survive.
    return watchBalances(toRaw(client), toValue(parameters), watchOptions)
  })
}
