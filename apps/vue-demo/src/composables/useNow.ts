import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'

/** The time, in milliseconds, renewed every so many. */
export function useNow(interval: number): Readonly<ShallowRef<number>> {
  const now = shallowRef(Date.now())
  const timer = setInterval(() => (now.value = Date.now()), interval)
  onScopeDispose(() => clearInterval(timer))
  return now
}
