import type { Context, Handler } from 'hono'
import { API_KEY_HEADER, CHANGES_PATH, type ChangesEvent } from '@headwater/contract'
import { parseChangesRequest } from '@headwater/contract/schemas'
import type { KeyReader } from '../../keys/KeyReader.ts'
import { validateKey } from '../../keys/validateKey.ts'
import { lastEventIdHeader } from '../headers.ts'
import type { HonoEnv } from '../HonoEnv.ts'
import { readHeader, respond, respondJson, setHeaders } from '../respond.ts'
import type { ChangeFeed } from './ChangeFeed.ts'
import { createResponseLoader, type LoadResponses } from './loadResponses.ts'
import type { OutgoingEvent, Subscription } from './Subscription.ts'

/** A stream without an event for this time receives a heartbeat, which also shows proxies that it is in use. */
const heartbeatMs = 15_000
/** How often the chains of a stream are checked. */
const checkMs = 1_000
/** Below the time after which the server closes a connection without traffic. */
const maxWaitSeconds = 50
/** Bytes that a client has not read yet, beyond which its changes are merged. */
const maxBufferedBytes = 16_384
/** The delay after which `EventSource` reconnects. */
const retryMs = 1_000

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
    const loadResponses =
      request.parameters.include === 'responses' ? createResponseLoader(fetch, secret) : undefined
    const close = () => feed.close(key.id, subscription)
    if (waitSeconds !== undefined) {
      const waitMs = lastEventId === undefined ? 0 : 1000 * waitSeconds
      return await respondOnce(context, { feed, subscription, loadResponses, close, waitMs })
    }
    // Otherwise the server waits for another request after the stream when it closes.
    setHeaders(context, { Connection: 'close' })
    const isAllowed = async () => validateKey(await keys.find(secret)) !== undefined
    const events = streamEvents({ feed, subscription, loadResponses, close, isAllowed })
    return new Response(events, { headers: context.get('headers') })
  })
}

interface Delivery {
  readonly feed: ChangeFeed
  readonly subscription: Subscription
  readonly loadResponses: LoadResponses | undefined
  readonly close: () => void
}

/** The seconds of a `Prefer: wait` header; undefined without one. */
function parseWait(prefer: string | undefined): number | undefined {
  const seconds = /(?:^|[\s,;])wait\s*=\s*"?(\d{1,9})/i.exec(prefer ?? '')?.[1]
  return seconds === undefined ? undefined : Math.min(Number(seconds), maxWaitSeconds)
}

/** Responds once there is an event, or after a time. */
async function respondOnce(
  context: Context<HonoEnv>,
  { feed, subscription, loadResponses, close, waitMs }: Delivery & { readonly waitMs: number },
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
      events.push(await addResponses(next, loadResponses))
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

/** Streams the events of a subscription until the client disconnects, its key ends or the process does. */
function streamEvents({
  feed,
  subscription,
  loadResponses,
  close,
  isAllowed,
}: Delivery & { readonly isAllowed: () => Promise<boolean> }): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let timer: NodeJS.Timeout | undefined
  let removeListener: () => void = () => undefined
  let sentAt = 0
  let followed = ''
  let isSending = false
  let isClosed = false
  const end = () => {
    if (isClosed) {
      return
    }
    isClosed = true
    clearInterval(timer)
    removeListener()
    subscription.onReady = undefined
    close()
  }
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const send = (event: ChangesEvent, id: string) => {
      sentAt = performance.now()
      const lines = [`event: ${event.type}`, `id: ${id}`, `data: ${JSON.stringify(event)}`]
      controller.enqueue(encoder.encode(`${lines.join('\n')}\n\n`))
    }
    const sendHeartbeat = () => {
      const chains = feed.getFollowed(subscription)
      followed = describe(chains)
      send({ type: 'heartbeat', chains }, subscription.writePosition())
    }
    const sendEvents = async () => {
      if (isSending) {
        return
      }
      isSending = true
      while (!isClosed && (controller.desiredSize ?? 0) > 0) {
        const next = subscription.take()
        if (!next) {
          break
        }
        const event = loadResponses ? await addResponses(next, loadResponses) : next.event
        if (!isClosed) {
          send(event, next.id)
        }
      }
      isSending = false
    }
    const check = async () => {
      // Of a client that does not read, the server closes the connection.
      if (isSending || (controller.desiredSize ?? 0) <= 0) {
        return
      }
      const isDue = performance.now() - sentAt >= heartbeatMs
      if (isDue && !(await isAllowed().catch(() => true))) {
        end()
        controller.close()
      } else if (!isClosed && (isDue || describe(feed.getFollowed(subscription)) !== followed)) {
        sendHeartbeat()
      }
    }
    removeListener = feed.onClose(() => {
      end()
      controller.close()
    })
    timer = setInterval(() => void check(), checkMs)
    controller.enqueue(encoder.encode(`retry: ${retryMs}\n`))
    sendHeartbeat()
    subscription.onReady = () => void sendEvents()
    return sendEvents
  }
  let sendEvents: (() => Promise<void>) | undefined
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        sendEvents = start(controller)
      },
      pull: () => {
        // Not awaited: a pending pull would not be repeated.
        void sendEvents?.()
      },
      cancel: end,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: maxBufferedBytes }),
  )
}

function describe(chains: readonly { readonly chain_id: number }[]): string {
  return chains.map(({ chain_id }) => chain_id).join()
}

/** Adds the new responses to an event, unless the client reads slower than changes happen. */
async function addResponses(
  { event, isInTime }: OutgoingEvent,
  loadResponses: LoadResponses | undefined,
): Promise<ChangesEvent> {
  if (!loadResponses || !isInTime) {
    return event
  }
  const responses = await loadResponses(event)
  return responses.length > 0 ? { ...event, responses } : event
}
