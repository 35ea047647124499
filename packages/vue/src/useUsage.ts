import { computed, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import type { Usage } from '@headwater/core'
import { type ClientOption, useClientOf } from './client.ts'
import { useObservable } from './useObservable.ts'

/** Rendered by servers: the browser starts with no usage, so other figures would be a hydration mismatch. */
const none: Usage = { spent: 0, byOperation: {}, byMinute: [], remaining: undefined }

/**
 * The compute units that the client spent, in total, by operation and by minute, and the remaining quota of the key.
 *
 * @param options - `client`, used instead of that of the plugin. A value, a ref or a getter.
 * @returns A computed ref of the latest usage, the same object until it changes. Zero on a server.
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
  const client = useClientOf(options)
  const usage = useObservable(computed(() => client.value.usage$))
  return computed(() => (client.value.ssr ? none : usage.value))
}
