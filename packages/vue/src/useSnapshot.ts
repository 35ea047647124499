import type { Observable } from 'rxjs'
import { computed } from 'vue'
import { firstSettled, type Snapshot, type SnapshotStream } from '@headwater/core'
import type { SnapshotRef } from './SnapshotRef.ts'
import { useNewest } from './useNewest.ts'

/**
 * The newest snapshot of a stream: the primitive that the composables of this package are made of.
 *
 * The snapshot is computed from the stream of this very moment, so what an earlier stream said never shows under a
 * later one, not even between a change and the next tick. It is not made deep-reactive: a thousand rows stay plain.
 * Work starts when the component is mounted and stops with the scope that it was called in. On a server only `suspense`
 * asks.
 *
 * @param stream - Getter of a stream of the core; what it reads is followed.
 * @param isEnabled - Whether `suspense` is to wait. Default: always.
 * @returns A computed reference to the newest snapshot, the same object until something changed.
 *
 * @example
 * ```ts
 * import { watchBalances } from '@headwater/core'
 * import { useClient, useSnapshot } from '@headwater/vue'
 *
 * const props = defineProps<{ address: string }>()
 * const client = useClient()
 * const balances = useSnapshot(() => watchBalances(client, { address: props.address }))
 * ```
 */
export function useSnapshot<Shown extends Pick<Snapshot<unknown>, 'status'>>(
  // By `SnapshotStream<unknown, Shown>` TypeScript would take the rows of a stream made on the spot for unknown.
  stream: () => Observable<Shown> & Pick<SnapshotStream<never, Shown>, 'getSnapshot'>,
  isEnabled: () => boolean = () => true,
): SnapshotRef<Shown> {
  const current = computed(stream)
  const suspense = async () => {
    for (;;) {
      const stream = current.value
      const settled = isEnabled() ? await firstSettled(stream) : stream.getSnapshot()
      // It may have changed while it was waited for.
      if (stream === current.value) {
        return settled
      }
    }
  }
  return Object.assign(useNewest(current), { suspense })
}
