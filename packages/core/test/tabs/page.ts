import { createClient, shareTabs, watchTokenInfo } from '../../src/index.ts'

/** A page of an app that shares among its tabs: shows a price, and says which tab asked for it. */
const tab = new URLSearchParams(location.search).get('tab') ?? ''
const client = createClient({
  baseUrl: location.origin,
  apiKey: 'key',
  fetch: (input, init) =>
    fetch(input, { ...init, headers: { ...(init?.headers as object), 'x-tab': tab } }),
})
shareTabs(client)
watchTokenInfo(
  client,
  { address: 'native', chainIds: [31337] },
  { refetchInterval: 1000 },
).subscribe(({ data }) => {
  document.title = String(data?.tokens[0]?.price_usd ?? '')
})
