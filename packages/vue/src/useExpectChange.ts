import { watchExpectedChange, type ExpectedChangeSnapshot } from '@headwater/core'
import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue'

import type { ClientOption } from './ClientOption.ts'
import { useClientOf } from './useClientOf.ts'
import { useNewest } from './useNewest.ts'

/**
 * Waits for what a transaction changes: after it was sent, `expectChange` asks quickly until the answer changes, within a
 * cap of units and time. All that shows the same question is up to date with it. Unmounting cancels.
 *
 * @param options - `client`, to be used instead of the plugin's: a value, a ref or a getter.
 * @returns A computed reference to `{ status, data, previous, error, expectChange, cancel }`. `status` is `idle` before
 * anything is expected.
 * @throws Error when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { balancesQueryOptions } from '@headwater/core'
 * import { useClient, useExpectChange } from '@headwater/vue'
 *
 * const props = defineProps<{ address: string }>()
 * const client = useClient()
 * const change = useExpectChange()
 * const onSent = () =>
 *   change.value.expectChange(balancesQueryOptions(client, { address: props.address }))
 * </script>
 *
 * <template>
 *   <p v-if="change.status === 'pending'">Waiting for the transaction…</p>
 * </template>
 * ```
 */
export function useExpectChange<Data = unknown>(
  options: MaybeRefOrGetter<ClientOption> = {},
): ComputedRef<ExpectedChangeSnapshot<Data>> {
  const clientOf = useClientOf(options)
  // A stream holds what it expects, so there is one for as long as the client is the same.
  const client = computed(() => clientOf(toValue(options)))
  return useNewest(computed(() => watchExpectedChange<Data>(client.value)))
}
