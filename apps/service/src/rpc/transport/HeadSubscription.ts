/** A connection without a message for this time is probed. */
const silenceMs = 30_000
/** A connection that does not respond within this time is lost. */
const responseMs = 10_000
const minRetryMs = 1_000
const maxRetryMs = 60_000

const subscription = { jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] }
const probe = { jsonrpc: '2.0', id: 2, method: 'eth_chainId', params: [] }

/** A block as a node announces it. It is not verified. */
export interface AnnouncedHead {
  readonly number: number
  readonly hash: string
}

/**
 * Subscribes to the new heads of a node (`eth_subscribe`), and reconnects until it is closed. What it announces is a reason to
 * request the head and nothing else, as nodes may skip blocks and announce any.
 */
export class HeadSubscription {
  readonly #url: string
  readonly #onHead: (head: AnnouncedHead) => void
  #socket: WebSocket | undefined
  #timer: NodeJS.Timeout | undefined
  /** Whether the connection must respond to remain open. */
  #isProbed = false
  /** Connections in a row that announced no head. */
  #failures = 0

  /** @param url - `ws` or `wss`. It may hold a secret and is never logged. */
  constructor(url: string, onHead: (head: AnnouncedHead) => void) {
    this.#url = url
    this.#onHead = onHead
    this.#open()
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#socket?.close()
    this.#socket = undefined
  }

  #open(): void {
    const socket = (this.#socket = new WebSocket(this.#url))
    const ifCurrent = (run: () => void) => () => {
      if (this.#socket === socket) {
        run()
      }
    }
    this.#isProbed = true
    this.#expectMessage(responseMs)
    socket.addEventListener(
      'open',
      ifCurrent(() => socket.send(JSON.stringify(subscription))),
    )
    socket.addEventListener('message', ({ data }) => {
      ifCurrent(() => {
        this.#isProbed = false
        this.#expectMessage(silenceMs)
        this.#onMessage(data)
      })()
    })
    const reopen = ifCurrent(() => this.#reopen())
    socket.addEventListener('error', reopen)
    socket.addEventListener('close', reopen)
  }

  #onMessage(data: unknown): void {
    const message = parseMessage(data)
    if (message.id === subscription.id && message.error) {
      // The node has no subscriptions, or too many. The head is polled.
      this.#reopen()
      return
    }
    const { number, hash } = message.params?.result ?? {}
    const parsed = Number(number)
    if (typeof hash === 'string' && Number.isSafeInteger(parsed)) {
      this.#failures = 0
      this.#onHead({ number: parsed, hash })
    }
  }

  #expectMessage(milliseconds: number): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      if (this.#isProbed) {
        this.#reopen()
        return
      }
      this.#isProbed = true
      this.#socket?.send(JSON.stringify(probe))
      this.#expectMessage(responseMs)
    }, milliseconds).unref()
  }

  #reopen(): void {
    this.close()
    const delay = Math.min(minRetryMs * 2 ** this.#failures++, maxRetryMs)
    this.#timer = setTimeout(() => this.#open(), delay * (0.5 + Math.random() / 2)).unref()
  }
}

interface Message {
  readonly id?: unknown
  readonly error?: unknown
  readonly params?: { readonly result?: { readonly number?: unknown; readonly hash?: unknown } }
}

/** Parses a message; empty if it is malformed. */
function parseMessage(data: unknown): Message {
  try {
    return (JSON.parse(String(data)) as Message | null) ?? {}
  } catch {
    return {}
  }
}
