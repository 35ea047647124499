import { computed, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { type WaitForChangeSnapshot, watchForChange } from '@headwater/core'
import { type ClientOption, useClientOf } from './client.ts'
import { useObservable } from './useObservable.ts'

/**
 * Waits for the change that a transaction causes: `waitForChange` polls at short intervals until the response changes,
 * within a limit of units and time. Other composables of the same query receive each response too. Unmounting cancels it.
 *
 * With the option `transaction` (its hash and a viem public client), the wait follows the transaction first, and `status` may
 * also be `reverted`, `replaced`, `dropped` or `reorged`; `token` and `minDelta` limit the changes that count.
 *
 * @param options - `client`, used instead of that of the plugin. A value, a ref or a getter.
 * @returns A computed ref of `{ status, data, previous, error, transaction, waitForChange, cancel }`. `status` is `idle`
 *   until `waitForChange` is called.
 * @throws {Error} when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { balancesQueryOptions } from '@headwater/core'
 * import { useClient, useWaitForChange } from '@headwater/vue'
 *
 * const props = defineProps<{ address: string }>()
 * const client = useClient()
 * const change = useWaitForChange()
 * const onSent = () =>
 *   change.value.waitForChange(balancesQueryOptions(client, { address: props.address }))
 * </script>
 *
 * <template>
 *   <p v-if="change.status === 'pending'">Waiting for the transaction…</p>
 * </template>
 * ```
 */
export function useWaitForChange<Data = unknown>(
  options: MaybeRefOrGetter<ClientOption> = {},
): ComputedRef<WaitForChangeSnapshot<Data>> {
  const client = useClientOf(options)
  // The stream holds the pending change, so it is created once per client.
  return useObservable(computed(() => watchForChange<Data>(client.value)))
}
