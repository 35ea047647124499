import { untrack } from 'svelte'
import { readable, toStore } from 'svelte/store'
import type { Usage } from '@headwater/core'
import { createClientFinder } from './clientContext.ts'
import { createSnapshot } from './createSnapshot.ts'
import { type ReactiveOptions, toGetter } from './ReactiveOptions.ts'
import type { SnapshotStore } from './SnapshotStore.ts'

/** What a server spent is not shown in its page: the browser, which starts anew, could not repeat it. */
const none: Usage = { spent: 0, byOperation: {}, byMinute: [], remaining: undefined }

/**
 * A store of the compute units that the client spent, in all, by operation and by minute, and of what is left of the key's
 * quota.
 *
 * @param options - `client`, to be used instead of the context's. A value or a getter.
 * @returns A store of the newest figures, the same object until something changed. Nothing spent while a server renders.
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
  const clientOf = createClientFinder()
  const read = toGetter(options)
  return untrack(() => {
    const client = clientOf(read())
    if (client.ssr) {
      return { ...readable(none), current: none }
    }
    return createSnapshot(
      client,
      toStore(() => clientOf(read()).usage$),
    )
  })
}
