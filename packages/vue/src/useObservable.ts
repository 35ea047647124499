import {
  type ComponentInternalInstance,
  computed,
  type ComputedRef,
  type EffectScope,
  getCurrentInstance,
  getCurrentScope,
  onActivated,
  onDeactivated,
  shallowRef,
  triggerRef,
  watch,
  watchPostEffect,
} from 'vue'
import { SnapshotReader, type SnapshotStream } from '@headwater/core'

/**
 * The latest snapshot of the current stream, which it subscribes to until the scope is stopped, and not while `KeepAlive`
 * keeps the component of the scope inactive.
 */
export function useObservable<TSnapshot>(
  current: ComputedRef<SnapshotStream<unknown, TSnapshot>>,
): ComputedRef<TSnapshot> {
  const reader = computed<SnapshotReader<TSnapshot>>(
    (previous) => new SnapshotReader(current.value, previous),
  )
  /** Undefined after an error, which Vue reports once. */
  const getSource = () => (reader.value as typeof reader.value | undefined)?.source
  const changed = shallowRef()
  // Subscribes after the render: this excludes servers, and several changes in one tick cause one request.
  const isActive = shallowRef(false)
  const instance = getOwner()
  watchPostEffect(() => void (isActive.value = !isDeactivated(instance)))
  if (instance) {
    onActivated(() => (isActive.value = true))
    onDeactivated(() => (isActive.value = false))
  }
  watch(
    () => (isActive.value ? getSource() : undefined),
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

/** What Vue has, but does not declare. */
interface WithParent {
  readonly parent?: EffectScope & WithParent
}

/** The component that ends the current scope; null in a detached scope, as of a Pinia store that a component is the first to use. */
function getOwner(): ComponentInternalInstance | null {
  const instance = getCurrentInstance() as
    (ComponentInternalInstance & { readonly scope: EffectScope }) | null
  let scope = getCurrentScope() as (EffectScope & WithParent) | undefined
  while (scope && scope !== instance?.scope) {
    scope = scope.detached ? undefined : scope.parent
  }
  return scope ? instance : null
}

/** Whether `KeepAlive` keeps a component inactive, or one around it, in which it is mounted without a call of `onDeactivated`. */
function isDeactivated(instance: ComponentInternalInstance | null): boolean {
  return instance !== null && (instance.isDeactivated || isDeactivated(instance.parent))
}
