const baseUrl = 'https://prices.test'
/** Of Headwater's client, which otherwise would not wait until all others had their turns. */
export const clientOptions = { baseUrl, timeout: 3_600_000 }
/** What one asks for the price of. */
export const token = { chainId: 1, address: 'native' }
/** Of polling, in milliseconds. */
export const interval = 200

/** What the service says of the price. */
export interface PriceAnswer {
  readonly balances: readonly { readonly price_usd: number }[]
}

/** Requests that are held until the next {@link answer}. */
const held: (() => void)[] = []
let tellOfRequest = () => {}

/** What is in the answers, and how many were asked for. */
export const answers = { price: 1, requests: 0 }

/** The `fetch` of this page: a service that knows one price and answers when it is told to. */
globalThis.fetch = () => {
  answers.requests++
  tellOfRequest()
  return new Promise((resolve) => held.push(() => resolve(createResponse())))
}

function createResponse(): Response {
  const { chainId, address } = token
  const balance = { chain: 'ethereum', chain_id: chainId, address, amount: '0', decimals: 18 }
  const body = {
    wallet_address: `0x${'0'.repeat(40)}`,
    balances: [{ ...balance, price_usd: answers.price, pool_size: 1_000_000 }],
  }
  return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
}

/** Asks for the price, as an app without Headwater does. */
export async function askPrice(): Promise<PriceAnswer> {
  const response = await fetch(`${baseUrl}/price`)
  return (await response.json()) as PriceAnswer
}

/** The price of an answer. */
export function priceOf(answer: PriceAnswer | undefined): number | undefined {
  return answer?.balances[0]?.price_usd
}

/** Answers what is held, and waits for the next request: until then whatever follows of the answer has happened. */
export async function answer(): Promise<void> {
  const asked = held.length > 0 ? Promise.resolve() : nextRequest()
  await asked
  const next = nextRequest()
  for (const respond of held.splice(0)) {
    respond()
  }
  await next
}

function nextRequest(): Promise<void> {
  return new Promise((resolve) => (tellOfRequest = resolve))
}
