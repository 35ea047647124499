import { computed, type ComputedRef, shallowRef, triggerRef, watch, watchPostEffect } from 'vue'
import { SnapshotReader, type SnapshotStream } from '@headwater/core'

/** The latest snapshot of the current stream, which it subscribes to until the scope is stopped. */
export function useObservable<TSnapshot>(
  current: ComputedRef<SnapshotStream<unknown, TSnapshot>>,
): ComputedRef<TSnapshot> {
  const reader = computed<SnapshotReader<TSnapshot>>(
    (previous) => new SnapshotReader(current.value, previous),
  )
  const changed = shallowRef()
  // Subscribes after the render: this excludes servers, and several changes in one tick cause one request.
  const isRendered = shallowRef(false)
  watchPostEffect(() => void (isRendered.value = true))
  watch(
    () => (isRendered.value ? reader.value.source : undefined),
    (source, _before, onCleanup) => {
      const unsubscribe = source?.subscribe(() => triggerRef(changed))
      triggerRef(changed)
      onCleanup(() => unsubscribe?.())
    },
    { flush: 'post' },
  )
  return computed(() => {
    void changed.value
    return reader.value.getSnapshot()
  })
}
