import {
  API_KEY_HEADER,
  balances,
  buildUrl,
  type ChangesEvent,
  tokenHolders,
  tokenInfo,
} from '@headwater/contract'
import { header } from '../headers.ts'
import type { OutgoingEvent } from './Subscription.ts'

type Responses = NonNullable<ChangesEvent['responses']>

/** Loads the responses that an event changed. */
export type LoadResponses = (event: ChangesEvent) => Promise<Responses>

/** Most responses per event, all of which are computed before it is sent. */
const maxResponses = 20

/**
 * Creates a function that requests the new responses of changes from this process, so that limits, units and caches are those
 * of any request. Those that fail, or exceed the limit, are omitted.
 */
export function createResponseLoader(
  fetch: (request: Request) => Response | Promise<Response>,
  secret: string,
): LoadResponses {
  return async ({ chain_id: chainId = 0, wallets = [], tokens = [], holders = [] }) => {
    const paths = [
      ...wallets.map((address) => buildUrl(balances, { address, chainIds: [chainId] })),
      ...tokens.map((address) => buildUrl(tokenInfo, { address, chainIds: [chainId] })),
      ...holders.map((address) => buildUrl(tokenHolders, { address, chainId })),
    ]
    const loaded = await Promise.all(
      paths.slice(0, maxResponses).map(async (path) => {
        const headers = { [API_KEY_HEADER]: secret }
        const response = await fetch(new Request(`http://localhost${path}`, { headers }))
        return response.ok
          ? [
              {
                path,
                etag: response.headers.get(header.entityTag) ?? '',
                units: Number(response.headers.get(header.cost)),
                body: (await response.json()) as object,
              },
            ]
          : []
      }),
    )
    return loaded.flat()
  }
}

/** Adds the new responses to an event, unless the client reads slower than changes happen. */
export async function addResponses(
  { event, isInTime }: OutgoingEvent,
  loadResponses: LoadResponses | undefined,
): Promise<ChangesEvent> {
  if (!loadResponses || !isInTime) {
    return event
  }
  // Without them, the client requests what changed.
  const responses = await loadResponses(event).catch(() => [])
  return responses.length > 0 ? { ...event, responses } : event
}
