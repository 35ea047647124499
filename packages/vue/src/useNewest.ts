import { computed, type ComputedRef, shallowRef, triggerRef, watch, watchPostEffect } from 'vue'
import type { SnapshotStream } from '@headwater/core'

/** The newest snapshot of the stream of this very moment, and the work for it while the scope lasts. */
export function useNewest<Shown>(
  current: ComputedRef<SnapshotStream<unknown, Shown>>,
): ComputedRef<Shown> {
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
