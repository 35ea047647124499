import { customRef, onScopeDispose, type Ref } from 'vue'

/** The address that the page's URL names; setting it goes to another. Null when the URL names none. */
export function useAddress(): Ref<string | null, string> {
  return customRef((track, trigger) => {
    addEventListener('popstate', trigger)
    onScopeDispose(() => removeEventListener('popstate', trigger))
    return {
      get() {
        track()
        return new URLSearchParams(location.search).get('address')
      },
      set(address) {
        const url = new URL(location.href)
        url.searchParams.set('address', address ?? '')
        history.pushState(null, '', url)
        trigger()
      },
    }
  })
}
