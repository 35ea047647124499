import { useCallback, useSyncExternalStore } from 'react'
import type { BehaviorSubject } from 'rxjs'

/** The current value of a subject. */
export function useValue<T>(subject: BehaviorSubject<T>): T {
  const subscribe = useCallback(
    (onChange: () => void) => {
      const subscription = subject.subscribe(onChange)
      return () => subscription.unsubscribe()
    },
    [subject],
  )
  return useSyncExternalStore(subscribe, () => subject.value)
}
