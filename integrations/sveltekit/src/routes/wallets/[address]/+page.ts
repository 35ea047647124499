import { hydrate } from '@tanstack/query-core'

/** Fills the cache before the page renders, on the server, in the browser, and before it navigates. */
export async function load({ params, data, parent }) {
  const { client } = await parent()
  hydrate(client.queryClient, data.state)
  return { address: params.address }
}
