import { createClient } from '@headwater/core'

/** What the page's own URL tells: which service, with which key, and whose wallet. */
export function openWallet() {
  const asked = new URLSearchParams(location.search)
  const client = createClient({
    baseUrl: asked.get('service') ?? '',
    apiKey: asked.get('key') ?? '',
  })
  return { client, address: asked.get('address') ?? '' }
}
