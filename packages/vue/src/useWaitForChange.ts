import { computed, type ComputedRef, type MaybeRefOrGetter, toValue } from 'vue'
import { type WaitForChangeSnapshot, watchForChange } from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useClientOf } from './useClientOf.ts'
import { useNewest } from './useNewest.ts'

/**
 * Waits for what a transaction changes: after it was sent, `waitForChange` asks quickly until the answer changes, within a
 * cap of units and time. All that shows the same question is up to date with it. Unmounting cancels.
 *
 * @param options - `client`, to be used instead of the plugin's: a value, a ref or a getter.
 * @returns A computed reference to `{ status, data, previous, error, waitForChange, cancel }`. `status` is `idle` before
 * anything is expected.
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
  const clientOf = useClientOf(options)
  // A stream holds what it expects, so there is one for as long as the client is the same.
  const client = computed(() => clientOf(toValue(options)))
  return useNewest(computed(() => watchForChange<Data>(client.value)))
}
