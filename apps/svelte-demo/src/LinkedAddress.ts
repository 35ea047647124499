import { createSubscriber } from 'svelte/reactivity'

/** The address that the page's URL names. */
export class LinkedAddress {
  readonly #follow = createSubscriber((update) => {
    addEventListener('popstate', update)
    return () => removeEventListener('popstate', update)
  })

  /** Null when the URL names none. */
  get current(): string | null {
    this.#follow()
    return new URLSearchParams(location.search).get('address')
  }

  /** Goes to another address. */
  show(address: string): void {
    const url = new URL(location.href)
    url.searchParams.set('address', address)
    history.pushState(null, '', url)
    dispatchEvent(new PopStateEvent('popstate'))
  }
}
