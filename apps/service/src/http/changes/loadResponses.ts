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

/** Loads the responses that events changed, for one client. */
export interface ResponseLoader {
  /** Loads those of an event; fewer, or none, where they are too many. */
  readonly load: (event: ChangesEvent) => Promise<Responses>
  /** Called once the client has received those that were loaded, or is gone. */
  readonly release: () => void
}

/** Most responses per event, all of which are computed before it is sent. */
const maxResponses = 20
/** Most bytes of responses that a process holds for clients which have not read them yet. */
const maxUnreadBytes = 64_000_000
/** What a response counts before its size is known: that of a large wallet, so that at most 500 are computed at once. */
const expectedBytes = 128_000

/**
 * Creates loaders that request the new responses of changes from this process, so that limits, units and caches are those
 * of any request. Those that fail, or exceed a limit, are omitted.
 */
export function createResponseLoaders(
  fetch: (request: Request) => Response | Promise<Response>,
): (secret: string) => ResponseLoader {
  let unreadBytes = 0
  return (secret) => {
    let held = { bytes: 0 }
    const load = async (path: string): Promise<Responses> => {
      const holding = held
      const resize = (bytes: number) => {
        // Otherwise the client is gone.
        if (holding === held) {
          holding.bytes += bytes
          unreadBytes += bytes
        }
      }
      resize(expectedBytes)
      const headers = { [API_KEY_HEADER]: secret }
      const response = await fetch(new Request(`http://localhost${path}`, { headers }))
      const text = response.ok ? await response.text() : ''
      resize(text.length - expectedBytes)
      return response.ok
        ? [
            {
              path,
              etag: response.headers.get(header.entityTag) ?? '',
              units: Number(response.headers.get(header.cost)),
              body: JSON.parse(text) as object,
            },
          ]
        : []
    }
    return {
      load: async (event) => {
        const free = Math.max(0, Math.floor((maxUnreadBytes - unreadBytes) / expectedBytes))
        const paths = listPaths(event).slice(0, Math.min(maxResponses, free))
        return (await Promise.all(paths.map(load))).flat()
      },
      release: () => {
        unreadBytes -= held.bytes
        held = { bytes: 0 }
      },
    }
  }
}

function listPaths({
  chain_id: chainId = 0,
  wallets = [],
  tokens = [],
  holders = [],
}: ChangesEvent): string[] {
  return [
    ...wallets.map((address) => buildUrl(balances, { address, chainIds: [chainId] })),
    ...tokens.map((address) => buildUrl(tokenInfo, { address, chainIds: [chainId] })),
    ...holders.map((address) => buildUrl(tokenHolders, { address, chainId })),
  ]
}

/** Adds the new responses to an event, unless the client reads slower than changes happen. */
export async function addResponses(
  { event, isInTime }: OutgoingEvent,
  loader: ResponseLoader | undefined,
): Promise<ChangesEvent> {
  if (!loader || !isInTime) {
    return event
  }
  // Without them, the client requests what changed.
  const responses = await loader.load(event).catch(() => [])
  return responses.length > 0 ? { ...event, responses } : event
}
