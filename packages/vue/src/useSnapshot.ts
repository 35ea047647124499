import type { Snapshot, SnapshotStream } from '@headwater/core'
import { computed, shallowRef, triggerRef, watch, watchPostEffect, type ComputedRef } from 'vue'

/**
 * The newest snapshot of a stream: the one primitive that all composables of this package are made of.
 *
 * The snapshot is computed from the stream of this very moment, so what an earlier stream said never shows under a
 * later one, not even between a change and the next tick. It is not made deep-reactive: a thousand rows stay plain.
 * Work starts when the component is mounted (never on a server) and stops with the scope that it was called in.
 *
 * @param stream - Getter of a stream of the core; what it reads is followed.
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
export function useSnapshot<Shown extends Snapshot<unknown>>(
  stream: () => SnapshotStream<unknown, Shown>,
): ComputedRef<Shown> {
  const current = computed(stream)
  const changed = shallowRef()
  // After the render, as a server never comes there, and so that several changes in one tick cost one request.
  const isRendered = shallowRef(false)
  watchPostEffect(() => void (isRendered.value = true))
  // Subscribed to in the callback, where nothing is tracked: what `select` happens to read is not to be followed.
  watch(
    () => (isRendered.value ? current.value : undefined),
    (stream, _before, onCleanup) => {
      const subscription = stream?.subscribe(() => triggerRef(changed))
      onCleanup(() => subscription?.unsubscribe())
    },
    { flush: 'post' },
  )
  return computed(() => {
    void changed.value
    return current.value.getSnapshot()
  })
}
