import { computed, type ComputedRef, type MaybeRefOrGetter, toValue } from 'vue'
import type { Usage } from '@headwater/core'
import type { ClientOption } from './ClientOption.ts'
import { useClientOf } from './useClientOf.ts'
import { useNewest } from './useNewest.ts'

/** What a server spent is not shown in its page: the browser, which starts anew, could not repeat it. */
const none: Usage = { spent: 0, byOperation: {}, byMinute: [], remaining: undefined }

/**
 * The compute units that the client spent, in all, by operation and by minute, and what is left of the key's quota.
 *
 * @param options - `client`, to be used instead of the plugin's: a value, a ref or a getter.
 * @returns A computed reference to the newest figures, the same object until something changed. Nothing
 * spent while a server renders.
 * @throws {Error} when there is neither a plugin nor a client in the options.
 *
 * @example
 * ```vue
 * <script setup lang="ts">
 * import { useUsage } from '@headwater/vue'
 *
 * const usage = useUsage()
 * </script>
 *
 * <template>
 *   <p>{{ usage.spent }} units spent, {{ usage.remaining ?? '?' }} left</p>
 * </template>
 * ```
 */
export function useUsage(options: MaybeRefOrGetter<ClientOption> = {}): ComputedRef<Usage> {
  const clientOf = useClientOf(options)
  const client = computed(() => clientOf(toValue(options)))
  const usage = useNewest(computed(() => client.value.usage$))
  return computed(() => (client.value.ssr ? none : usage.value))
}
