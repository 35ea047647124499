import { onScopeDispose, type ShallowRef, shallowRef } from 'vue'

/** Whether a media query matches. */
export function useMedia(query: string): Readonly<ShallowRef<boolean>> {
  const list = matchMedia(query)
  const isTrue = shallowRef(list.matches)
  const update = () => (isTrue.value = list.matches)
  list.addEventListener('change', update)
  onScopeDispose(() => list.removeEventListener('change', update))
  return isTrue
}
