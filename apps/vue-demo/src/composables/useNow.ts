import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'

/** The current time in milliseconds, updated at an interval. */
export function useNow(interval: number): Readonly<ShallowRef<number>> {
  const now = shallowRef(Date.now())
  const timer = setInterval(() => (now.value = Date.now()), interval)
  onScopeDispose(() => clearInterval(timer))
  return now
}
