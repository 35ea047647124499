import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { CHANGES_PATH, type ChangesEvent, isChangesEvent } from '@headwater/contract'
import type { Transport } from '../requests/createTransport.ts'

/** The service sends an event at least every 15 seconds. Without one for this time, the stream is cut or buffered. */
const silenceMs = 35_000
/** A stream without an event for this time after it opened is buffered. */
const firstEventMs = 5_000
const minRetryMs = 1_000
const maxRetryMs = 5 * 60_000

interface StreamListener {
  /** Called with each event. */
  onEvent(event: ChangesEvent): void
  /** Called when the stream has ended; it is opened again unless it was closed. */
  onEnd(isClosed: boolean): void
}

/** Events of the service about subjects. Reconnects after errors, and resumes where it ended. */
export class ChangeStream {
  readonly #transport: Pick<Transport, 'open'>
  readonly #listener: StreamListener
  #query = ''
  /** The position after the latest event. */
  #lastEventId: string | undefined
  #controller: AbortController | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Consecutive attempts without an event. */
  #failures = 0

  constructor(transport: Pick<Transport, 'open'>, listener: StreamListener) {
    this.#transport = transport
    this.#listener = listener
  }

  /** Whether a position is known, after which events are delivered. */
  get isResumable(): boolean {
    return this.#lastEventId !== undefined
  }

  /** Opens the stream of a query; an empty one closes it. The same query has no effect. */
  set(query: string): void {
    if (query === this.#query) {
      return
    }
    this.#query = query
    clearTimeout(this.#timer)
    this.#controller?.abort()
    this.#controller = undefined
    this.#listener.onEnd(query === '')
    if (query) {
      void this.#open()
    }
  }

  /** Cuts the stream unless there is an event in time. */
  #expectEvent(controller: AbortController, milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => controller.abort(), milliseconds)
  }

  async #open(): Promise<void> {
    const controller = (this.#controller = new AbortController())
    const { signal } = controller
    let retryAfterMs = 0
    const parser = createParser({
      onEvent: (message) => {
        if (!signal.aborted) {
          this.#expectEvent(controller, silenceMs)
          this.#onMessage(message)
        }
      },
    })
    try {
      const response = await this.#transport.open(`${CHANGES_PATH}?${this.#query}`, signal, {
        accept: 'text/event-stream',
        ...(this.#lastEventId !== undefined && { 'last-event-id': this.#lastEventId }),
      })
      const type = response.headers.get('content-type') ?? ''
      if (response.ok && response.body && type.startsWith('text/event-stream')) {
        this.#expectEvent(controller, firstEventMs)
        await read(response.body, signal, (text) => parser.feed(text))
      } else {
        await response.body?.cancel()
        retryAfterMs = 1000 * Number(response.headers.get('retry-after')) || 0
        // A page of another kind, or a service that stopped offering changes.
        this.#failures = Math.max(this.#failures, response.status === 404 ? 6 : 2)
      }
    } catch {
      // The connection was lost, or the stream was cut.
    }
    // Otherwise the stream was replaced.
    if (this.#controller === controller) {
      this.#controller = undefined
      clearTimeout(this.#timer)
      this.#listener.onEnd(false)
      const backoff = Math.min(minRetryMs * 2 ** this.#failures++, maxRetryMs)
      const delay = Math.max(backoff * (0.5 + Math.random() / 2), retryAfterMs)
      this.#timer = setTimeout(() => void this.#open(), Math.min(delay, maxRetryMs))
    }
  }

  #onMessage({ id, data }: EventSourceMessage): void {
    let event: unknown
    try {
      event = JSON.parse(data)
    } catch {
      return
    }
    this.#failures = 0
    // An event of a later version of the service may have another type: its position counts.
    if (isChangesEvent(event)) {
      this.#listener.onEvent(event)
    }
    this.#lastEventId = id ?? this.#lastEventId
  }
}

/** Reads text until the end of a body. */
async function read(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onText: (text: string) => void,
): Promise<void> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || signal.aborted) {
        return
      }
      onText(decoder.decode(value, { stream: true }))
    }
  } finally {
    signal.removeEventListener('abort', cancel)
    cancel()
  }
}
