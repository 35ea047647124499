import { computed, type ComputedRef, shallowRef, triggerRef, watch, watchPostEffect } from 'vue'
import type { SnapshotStream } from '@headwater/core'

/** The latest snapshot of the current stream, which it subscribes to until the scope is stopped. */
export function useObservable<TSnapshot>(
  current: ComputedRef<SnapshotStream<unknown, TSnapshot>>,
): ComputedRef<TSnapshot> {
  const changed = shallowRef()
  // Subscribes after the render: this excludes servers, and several changes in one tick cause one request.
  const isRendered = shallowRef(false)
  watchPostEffect(() => void (isRendered.value = true))
  // Subscribes in the callback, which is untracked, so that what `select` reads does not become a dependency.
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
