import type { BehaviorSubject } from 'rxjs'
import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'

/** The current value of a subject. */
export function useValue<T>(subject: BehaviorSubject<T>): Readonly<ShallowRef<T>> {
  const value = shallowRef(subject.value)
  const subscription = subject.subscribe((newest) => (value.value = newest))
  onScopeDispose(() => subscription.unsubscribe())
  return value
}
