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

interface StreamOptions extends Delivery {
  readonly isAllowed: () => Promise<boolean>
  /** The connection. Before version 24, Node.js does not cancel the responses to pipelined requests with it. */
  readonly socket?: Pick<Socket, 'once' | 'off' | 'destroyed'> | undefined
}

/**
 * Streams the events of a subscription until the client disconnects, its key ends or the process does. Nothing is buffered before
 * the connection: while its buffer is full, changes are merged.
 */
export function streamEvents(options: StreamOptions): ReadableStream<Uint8Array> {
  let stream: EventStream | undefined
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        stream = new EventStream(controller, options)
      },
      pull: () => stream?.onDrained(),
      cancel: () => stream?.end(),
    },
    { highWaterMark: 0 },
  )
}

const encoder = new TextEncoder()

class EventStream {
  readonly #controller: ReadableStreamDefaultController<Uint8Array>
  readonly #options: StreamOptions
  readonly #timers: readonly NodeJS.Timeout[]
  readonly #removeListener: () => void
  #sentAt = 0
  /** The chains of the latest heartbeat. */
  #followed = ''
  #isSending = false
  /** Whether the connection has taken all that was sent. */
  #isDrained = false
  #isEnded = false

  constructor(controller: ReadableStreamDefaultController<Uint8Array>, options: StreamOptions) {
    const { feed, subscription, socket } = options
    this.#controller = controller
    this.#options = options
    this.#timers = [
      setInterval(() => this.#sendDueHeartbeat(), checkMs),
      setInterval(() => void this.#checkKey(), keyCheckMs),
    ]
    this.#removeListener = feed.onClose(() => this.#close())
    socket?.once('close', this.end)
    controller.enqueue(encoder.encode(`retry: ${retryMs}\n`))
    this.#sendHeartbeat()
    subscription.onReady = () => void this.#sendEvents()
    if (socket?.destroyed) {
      this.#close()
    }
  }

  /** The client is gone. */
  readonly end = (): void => {
    if (this.#isEnded) {
      return
    }
    this.#isEnded = true
    const { subscription, socket, close } = this.#options
    this.#timers.forEach((timer) => clearInterval(timer))
    this.#removeListener()
    socket?.off('close', this.end)
    subscription.onReady = undefined
    close()
  }

  onDrained(): void {
    this.#isDrained = true
    this.#options.loader?.release()
    // Not awaited: a pending pull would not be repeated.
    void this.#sendEvents()
  }

  #close(): void {
    this.end()
    this.#controller.close()
  }

  async #sendEvents(): Promise<void> {
    if (this.#isSending) {
      return
    }
    const { subscription, loader } = this.#options
    this.#isSending = true
    try {
      while (!this.#isEnded && this.#isDrained) {
        const next = subscription.take()
        if (!next) {
          break
        }
        const event = await addResponses(next, loader)
        if (!this.#isEnded) {
          this.#send(event, next.id)
        }
      }
    } finally {
      this.#isSending = false
    }
  }

  #sendDueHeartbeat(): void {
    // Of a client that does not read, the server closes the connection.
    if (this.#isSending || !this.#isDrained) {
      return
    }
    const { feed, subscription } = this.#options
    const isDue = performance.now() - this.#sentAt >= heartbeatMs
    if (isDue || describe(feed.getFollowed(subscription)) !== this.#followed) {
      this.#sendHeartbeat()
    }
  }

  #sendHeartbeat(): void {
    const { feed, subscription } = this.#options
    const chains = feed.getFollowed(subscription)
    this.#followed = describe(chains)
    this.#send({ type: 'heartbeat', chains }, subscription.writePosition())
  }

  #send(event: ChangesEvent, id: string): void {
    this.#sentAt = performance.now()
    this.#isDrained = false
    const lines = [`event: ${event.type}`, `id: ${id}`, `data: ${JSON.stringify(event)}`]
    this.#controller.enqueue(encoder.encode(`${lines.join('\n')}\n\n`))
  }

  async #checkKey(): Promise<void> {
    // While the keys cannot be read, the key remains.
    if (!(await this.#options.isAllowed().catch(() => true)) && !this.#isEnded) {
      this.#close()
    }
  }
}

function describe(chains: readonly { readonly chain_id: number }[]): string {
  return chains.map(({ chain_id }) => chain_id).join()
}
