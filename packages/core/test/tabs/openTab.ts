import {
  broadcastClient,
  type ClientOptions,
  createClient,
  watchTokenInfo,
} from '../../src/index.ts'

/**
 * A tab of an app that broadcasts: watches a price, and sends its name with each request.
 *
 * @param tab - Its name.
 * @param show - Called with the displayed price.
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
