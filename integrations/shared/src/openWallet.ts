import { createClient } from '@headwater/core'

/** Reads service, key and wallet from the query of the page's URL. */
export function openWallet() {
  const asked = new URLSearchParams(location.search)
  const client = createClient({
    baseUrl: asked.get('service') ?? '',
    apiKey: asked.get('key') ?? '',
  })
  return { client, address: asked.get('address') ?? '' }
}
