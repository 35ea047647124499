import { useSyncExternalStore } from 'react'

function subscribe(onChange: () => void): () => void {
  addEventListener('popstate', onChange)
  return () => removeEventListener('popstate', onChange)
}

const readAddress = () => new URLSearchParams(location.search).get('address')

function showAddress(address: string): void {
  const url = new URL(location.href)
  url.searchParams.set('address', address)
  history.pushState(null, '', url)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** The address that the page's URL names, and a function to name another. */
export function useAddress(): [address: string | null, showAddress: (address: string) => void] {
  return [useSyncExternalStore(subscribe, readAddress), showAddress]
}
