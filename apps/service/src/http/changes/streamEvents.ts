import type { Socket } from 'node:net'
import type { ChangesEvent } from '@headwater/contract'
import type { ChangeFeed } from './ChangeFeed.ts'
import { addResponses, type ResponseLoader } from './loadResponses.ts'
import type { Subscription } from './Subscription.ts'

/** A stream without an event for this time receives a heartbeat, which also shows proxies that it is in use. */
const heartbeatMs = 15_000
/** How often the chains of a stream are checked. */
const checkMs = 1_000
/** How often the key of a stream is checked, however many events it receives. */
const keyCheckMs = 15_000
/** The delay after which `EventSource` reconnects. */
const retryMs = 1_000

export interface Delivery {
  readonly feed: ChangeFeed
  readonly subscription: Subscription
  readonly loader: ResponseLoader | undefined
  readonly close: () => void
}

/**
 * Streams the events of a subscription until the client disconnects, its key ends or the process does. Nothing is buffered before
 * the connection: while its buffer is full, changes are merged.
 */
export function streamEvents({
  feed,
  subscription,
  loader,
  close: release,
  isAllowed,
  socket,
}: Delivery & {
  readonly isAllowed: () => Promise<boolean>
  /** The connection. Before version 24, Node.js does not cancel the responses to pipelined requests with it. */
  readonly socket?: Pick<Socket, 'once' | 'off' | 'destroyed'> | undefined
}): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let timers: readonly NodeJS.Timeout[] = []
  let removeListener: () => void = () => undefined
  let sentAt = 0
  let followed = ''
  let isSending = false
  /** Whether the connection has taken all that was sent. */
  let isDrained = false
  let isClosed = false
  const end = () => {
    if (isClosed) {
      return
    }
    isClosed = true
    timers.forEach((timer) => clearInterval(timer))
    removeListener()
    socket?.off('close', end)
    subscription.onReady = undefined
    release()
  }
  socket?.once('close', end)
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const send = (event: ChangesEvent, id: string) => {
      sentAt = performance.now()
      isDrained = false
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
      try {
        while (!isClosed && isDrained) {
          const next = subscription.take()
          if (!next) {
            break
          }
          const event = loader ? await addResponses(next, loader) : next.event
          if (!isClosed) {
            send(event, next.id)
          }
        }
      } finally {
        isSending = false
      }
    }
    const close = () => {
      end()
      controller.close()
    }
    const sendDueHeartbeat = () => {
      // Of a client that does not read, the server closes the connection.
      if (isSending || !isDrained) {
        return
      }
      const isDue = performance.now() - sentAt >= heartbeatMs
      if (isDue || describe(feed.getFollowed(subscription)) !== followed) {
        sendHeartbeat()
      }
    }
    const checkKey = async () => {
      // While the keys cannot be read, the key remains.
      if (!(await isAllowed().catch(() => true)) && !isClosed) {
        close()
      }
    }
    removeListener = feed.onClose(close)
    timers = [
      setInterval(sendDueHeartbeat, checkMs),
      setInterval(() => void checkKey(), keyCheckMs),
    ]
    controller.enqueue(encoder.encode(`retry: ${retryMs}\n`))
    sendHeartbeat()
    subscription.onReady = () => void sendEvents()
    if (socket?.destroyed) {
      close()
    }
    return sendEvents
  }
  let sendEvents: (() => Promise<void>) | undefined
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        sendEvents = start(controller)
      },
      pull: () => {
        isDrained = true
        loader?.release()
        // Not awaited: a pending pull would not be repeated.
        void sendEvents?.()
      },
      cancel: end,
    },
    { highWaterMark: 0 },
  )
}

function describe(chains: readonly { readonly chain_id: number }[]): string {
  return chains.map(({ chain_id }) => chain_id).join()
}
