import {
  broadcastClient,
  type ClientOptions,
  createClient,
  watchTokenInfo,
} from '../../src/index.ts'

/**
 * A tab of an app that shares among its tabs: watches a price, and says with each request which tab asks.
 *
 * @param tab - Its name.
 * @param show - Told the price that it shows.
 */
export function openTab(
  tab: string,
  options: ClientOptions,
  refetchInterval: number,
  show: (price: number | undefined) => void,
) {
  const client = createClient({
    ...options,
    fetch: (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as object), 'x-tab': tab } }),
  })
  broadcastClient(client)
  watchTokenInfo(client, { address: 'native', chainIds: [31337] }, { refetchInterval }).subscribe(
    ({ data }) => show(data?.tokens[0]?.price_usd),
  )
}
