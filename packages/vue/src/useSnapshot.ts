import type { Observable } from 'rxjs'
import { computed, type ComputedRef, getCurrentInstance } from 'vue'
import { firstSettled, type Snapshot, SnapshotReader, type SnapshotStream } from '@headwater/core'
import { useObservable } from './useObservable.ts'

/**
 * A computed ref of the latest snapshot of a stream.
 *
 * @example
 * ```ts
 * import type { BalancesSnapshot } from '@headwater/core'
 * import type { SnapshotRef } from '@headwater/vue'
 *
 * const count = (balances: SnapshotRef<BalancesSnapshot>) => balances.value.data?.length ?? 0
 * ```
 */
export interface SnapshotRef<TSnapshot> extends ComputedRef<TSnapshot> {
  /**
   * Requests and waits for a response or an error, on a server too: for an async `setup` inside of `<Suspense>`, and for
   * `onServerPrefetch`. Resolves at once where data is cached or the stream is not `enabled`, and before a component hydrates,
   * which renders what the server rendered. Needs no `this`.
   *
   * @returns The settled snapshot. Never rejects.
   */
  readonly suspense: () => Promise<TSnapshot>
}

// With `SnapshotStream<unknown, TSnapshot>` TypeScript would infer `unknown` for the rows of a stream created in the getter.
type SnapshotSource<TSnapshot> = Observable<TSnapshot> &
  Pick<SnapshotStream<never, TSnapshot>, 'getSnapshot' | 'isEnabled'>

/**
 * The latest snapshot of a stream: the primitive of all composables of this package.
 *
 * The snapshot is computed from the current stream, so data of an earlier stream never appears with the parameters of a
 * later one, not even between a change and the next tick. It is not deeply reactive: rows stay plain objects. Requests and
 * polls start when the component is mounted and stop with the effect scope. On a server only `suspense` sends requests.
 *
 * @param stream - Getter of a stream of core, or of another of its observables, such as `client.connection$`; its
 *   dependencies are tracked.
 * @returns A computed ref of the latest snapshot, the same object until it changes. It has `suspense` if the snapshots are
 *   those of requests.
 *
 * @example
 * ```ts
 * import { watchBalances } from '@headwater/core'
 * import { useClient, useSnapshot } from '@headwater/vue'
 *
 * const props = defineProps<{ address: string }>()
 * const client = useClient()
 * const balances = useSnapshot(() => watchBalances(client, { address: props.address }))
 * const connection = useSnapshot(() => client.connection$)
 * ```
 */
export function useSnapshot<TSnapshot extends Pick<Snapshot<unknown>, 'status'>>(
  stream: () => SnapshotSource<TSnapshot>,
): SnapshotRef<TSnapshot>
export function useSnapshot<TSnapshot>(
  stream: () => SnapshotSource<TSnapshot>,
): ComputedRef<TSnapshot>
export function useSnapshot<TSnapshot extends Pick<Snapshot<unknown>, 'status'>>(
  stream: () => SnapshotSource<TSnapshot>,
): SnapshotRef<TSnapshot> {
  // Not `computed(stream)`, whose error for what is not a function names nothing.
  const current = computed(() => stream())
  const instance = getCurrentInstance()
  // Vue assigns the element of the server before it hydrates a component.
  const hydrates = Boolean(instance?.vnode.el)
  const result = useObservable(current)
  const suspense = async () => {
    if (hydrates && !instance?.isMounted) {
      return result.value
    }
    for (;;) {
      const stream = current.value
      const settled = await firstSettled(stream)
      // The stream may have changed meanwhile. A server computes it again, with a new `select`, after a change of any state.
      const latest = current.value
      if (stream === latest || sourceOf(stream) === sourceOf(latest)) {
        return settled
      }
    }
  }
  return Object.assign(result, { suspense })
}

/** The same object for streams that differ only in `select` and `placeholderData`. */
const sourceOf = (stream: Pick<SnapshotStream<never, unknown>, 'getSnapshot' | 'subscribe'>) =>
  new SnapshotReader(stream).source
