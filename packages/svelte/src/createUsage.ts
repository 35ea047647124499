import { untrack } from 'svelte'
import { readable } from 'svelte/store'
import type { Usage } from '@headwater/core'
import { createClientResolver, type ReactiveOptions, toGetter } from './client.ts'
import { createSnapshot, type SnapshotStore } from './createSnapshot.ts'
import { toCurrentStore } from './toCurrentStore.ts'

/** Rendered by servers: the browser starts with no usage, so other figures would be a hydration mismatch. */
const none: Usage = { spent: 0, byOperation: {}, byMinute: [], remaining: undefined }

/**
 * A store of the compute units that the client spent, in total, by operation and by minute, and the remaining quota of the
 * key.
 *
 * @param options - `client`, used instead of that of the context. A value or a getter.
 * @returns A store of the latest usage, the same object until it changes. Zero on a server.
 * @throws {Error} when there is neither a client in the context nor in the options.
 *
 * @example
 * ```svelte
 * <script lang="ts">
 *   import { createUsage } from '@headwater/svelte'
 *
 *   const usage = createUsage()
 * </script>
 *
 * <p>{$usage.spent} units spent, {$usage.remaining ?? '?'} left</p>
 * ```
 */
export function createUsage(options: ReactiveOptions = {}): SnapshotStore<Usage> {
  const resolveClient = createClientResolver()
  const read = toGetter(options)
  return untrack(() => {
    const client = resolveClient(read())
    if (client.ssr) {
      return { ...readable(none), current: none }
    }
    return createSnapshot(
      client,
      toCurrentStore(() => resolveClient(read()).usage$),
    )
  })
}
