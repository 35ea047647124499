const baseUrl = 'https://prices.test'
/** Timeout of Headwater's client, long enough for the turns of the other contenders. */
export const clientOptions = { baseUrl, timeout: 3_600_000 }
/** The token of the price. */
export const token = { chainId: 1, address: 'native' }
/** Polling interval in milliseconds. */
export const interval = 200

/** The response of the service. */
export interface PriceResponse {
  readonly balances: readonly { readonly price_usd: number }[]
}

/** Requests that are pending until the next call of {@link respond}. */
const held: (() => void)[] = []
let notifyRequest = () => {}

/** The price in the responses, and the number of requests. */
export const service = { price: 1, requests: 0 }

/** The `fetch` of the page: a service with one price that responds when {@link respond} is called. */
globalThis.fetch = () => {
  service.requests++
  notifyRequest()
  return new Promise((resolve) => held.push(() => resolve(createResponse())))
}

function createResponse(): Response {
  const { chainId, address } = token
  const balance = { chain: 'ethereum', chain_id: chainId, address, amount: '0', decimals: 18 }
  const body = {
    wallet_address: `0x${'0'.repeat(40)}`,
    balances: [{ ...balance, price_usd: service.price, pool_size: 1_000_000 }],
  }
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
}

/** Fetches the price, as an app without Headwater does. */
export async function fetchPrice(): Promise<PriceResponse> {
  const response = await fetch(`${baseUrl}/price`)
  return (await response.json()) as PriceResponse
}

/** The price in a response. */
export function priceOf(response: PriceResponse | undefined): number | undefined {
  return response?.balances[0]?.price_usd
}

/** Responds to the pending requests and waits for the next one, before which the response is fully processed. */
export async function respond(): Promise<void> {
  const requested = held.length > 0 ? Promise.resolve() : nextRequest()
  await requested
  const next = nextRequest()
  for (const settle of held.splice(0)) {
    settle()
  }
  await next
}

function nextRequest(): Promise<void> {
  return new Promise((resolve) => (notifyRequest = resolve))
}
