import type { Context, Handler } from 'hono'
import { API_KEY_HEADER, CHANGES_PATH, type ChangesEvent } from '@headwater/contract'
import { parseChangesRequest, parseWait } from '@headwater/contract/schemas'
import type { KeyReader } from '../../keys/KeyReader.ts'
import { validateKey } from '../../keys/validateKey.ts'
import { lastEventIdHeader } from '../headers.ts'
import type { HonoEnv } from '../HonoEnv.ts'
import { getBindings, readHeader, respond, respondJson, setHeaders } from '../respond.ts'
import type { ChangeFeed } from './ChangeFeed.ts'
import { addResponses, createResponseLoaders } from './loadResponses.ts'
import { type Delivery, streamEvents } from './streamEvents.ts'

interface ChangesOptions {
  readonly feed: ChangeFeed
  readonly chains: readonly { readonly id: number }[]
  readonly keys: Pick<KeyReader, 'find'>
  /** Sends a request to this process. */
  readonly fetch: (request: Request) => Response | Promise<Response>
}

/**
 * Adds the path that delivers changes: Server-Sent Events, or one JSON response once there are changes (`Prefer: wait`).
 * Subscriptions and their events cost nothing. Each requested response in an event costs what its request would.
 */
export function serveChanges(
  serve: (path: string, ...steps: Handler<HonoEnv>[]) => void,
  steps: Handler<HonoEnv>[],
  { feed, chains, keys, fetch }: ChangesOptions,
): void {
  const createLoader = createResponseLoaders(fetch)
  const supported = new Set(chains.map(({ id }) => id))
  serve(CHANGES_PATH, ...steps, async (context) => {
    const { searchParams } = new URL(context.req.url)
    const request = parseChangesRequest(searchParams, (chainId) => supported.has(chainId))
    const waitSeconds = parseWait(readHeader(context, 'Prefer'))
    setHeaders(context, {
      'Cache-Control': 'no-store, no-transform',
      'Content-Type': waitSeconds === undefined ? 'text/event-stream' : 'application/json',
      // Otherwise nginx collects events before it forwards them.
      'X-Accel-Buffering': 'no',
      ...(waitSeconds !== undefined && { 'Preference-Applied': `wait=${waitSeconds}` }),
    })
    if (context.req.raw.method === 'HEAD') {
      return respond(context, null)
    }
    const key = context.get('apiKey')
    const secret = readHeader(context, API_KEY_HEADER) ?? ''
    const lastEventId = readHeader(context, lastEventIdHeader) || undefined
    const subscription = await feed.open(key.id, request.chains, lastEventId)
    const loader = request.parameters.include === 'responses' ? createLoader(secret) : undefined
    const close = () => {
      feed.close(key.id, subscription)
      loader?.release()
    }
    if (waitSeconds !== undefined) {
      const waitMs = lastEventId === undefined ? 0 : 1000 * waitSeconds
      return await respondOnce(context, { feed, subscription, loader, close, waitMs })
    }
    // Otherwise the server waits for another request after the stream when it closes.
    setHeaders(context, { Connection: 'close' })
    const isAllowed = async () => validateKey(await keys.find(secret)) !== undefined
    const socket = getBindings(context)?.incoming?.socket
    const events = streamEvents({ feed, subscription, loader, close, isAllowed, socket })
    return new Response(events, { headers: context.get('headers') })
  })
}

/** Responds once there is an event, or after a time. */
async function respondOnce(
  context: Context<HonoEnv>,
  { feed, subscription, loader, close, waitMs }: Delivery & { readonly waitMs: number },
): Promise<Response> {
  const { signal } = context.req.raw
  const waiting = Promise.withResolvers<void>()
  const end = () => waiting.resolve()
  const timer = setTimeout(end, waitMs)
  const removeListener = feed.onClose(end)
  signal.addEventListener('abort', end)
  subscription.onReady = end
  try {
    if (!subscription.isReady && !signal.aborted) {
      await waiting.promise
    }
    const events: ChangesEvent[] = []
    for (let next = subscription.take(); next; next = subscription.take()) {
      events.push(await addResponses(next, loader))
    }
    return respondJson(context, {
      last_event_id: subscription.writePosition(),
      chains: feed.getFollowed(subscription),
      events,
    })
  } finally {
    clearTimeout(timer)
    removeListener()
    signal.removeEventListener('abort', end)
    close()
  }
}
