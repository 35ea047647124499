import { onlineManager } from '@tanstack/query-core'
import { findRoute } from '@headwater/contract/schemas'
import type { Client, OperationName } from '@headwater/core'
import { type FetchWrapper, wrapFetch } from '@headwater/core/inspect'

/** The faults that are injected. */
export interface FaultSettings {
  /** The operation they apply to. */
  readonly operation: OperationName | 'all'
  /** Milliseconds by which each response is delayed; 0 for none. */
  readonly latency: number
  /**
   * `rateLimit` responds with 429 and `Retry-After`, `unavailable` with 503; `offline` fails each request like a browser
   * without network.
   */
  readonly failure: 'none' | 'rateLimit' | 'unavailable' | 'offline'
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number
  /**
   * Whether to respond with an earlier response to the same URL, of an earlier block, as after a reorg that removed the blocks
   * since.
   */
  readonly reorg: boolean
}

/** No faults. */
const noFaults: FaultSettings = {
  operation: 'all',
  latency: 0,
  failure: 'none',
  retryAfter: 10,
  reorg: false,
}

interface PastResponse {
  readonly body: string
  readonly blockNumbers: string
}

const maxUrls = 50
/** How many blocks a reorg removes, at most. */
const maxPastResponses = 5
const maxBodyLength = 500_000

/** Injects faults into the requests of a client, below its retries and its accounting. */
export class Faults {
  /** Number of requests that a fault changed. */
  injected = 0
  readonly #client: Client
  #settings = noFaults
  #unwrap: (() => void) | undefined
  /** Earlier responses by URL, of different blocks, oldest first. */
  readonly #past = new Map<string, PastResponse[]>()

  constructor(client: Client) {
    this.#client = client
  }

  get settings(): FaultSettings {
    return this.#settings
  }

  get isActive(): boolean {
    const { latency, failure, reorg } = this.#settings
    return latency > 0 || failure !== 'none' || reorg
  }

  /** Starts remembering responses, which a reorg needs. */
  start(): void {
    this.#unwrap ??= wrapFetch(this.#client, this.#wrap)
  }

  /** Changes some of the settings, from the next request on. */
  set(changes: Partial<FaultSettings>): void {
    const wasOffline = this.#settings.failure === 'offline'
    this.#settings = { ...this.#settings, ...changes }
    const isOffline = this.#settings.failure === 'offline'
    if (wasOffline !== isOffline) {
      // As TanStack's devtools do; every query client of the page shares this state.
      onlineManager.setOnline(!isOffline)
    }
    if (this.isActive) {
      this.start()
    }
  }

  /** Removes all faults. */
  clear(): void {
    this.set(noFaults)
  }

  /** Stops remembering responses, unless faults are injected. */
  pause(): void {
    if (!this.isActive) {
      this.#unwrap?.()
      this.#unwrap = undefined
      this.#past.clear()
    }
  }

  /** Removes all faults and their wrapper. */
  stop(): void {
    this.clear()
    this.pause()
  }

  readonly #wrap: FetchWrapper = (fetch) => async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    const { operation, latency, failure, retryAfter, reorg } = this.#settings
    const isSelected =
      operation === 'all' || findRoute(url.replace(/[?#].*$/, ''))?.operation === operation
    if (!isSelected || !this.isActive) {
      return this.#remember(url, await fetch(input, init))
    }
    this.injected++
    if (failure === 'offline') {
      throw new TypeError('Failed to fetch (devtools)')
    }
    const response =
      failure === 'none'
        ? await fetch(input, init)
        : failure === 'rateLimit'
          ? createError(429, 'RATE_EXCEEDED', { 'retry-after': String(retryAfter) })
          : createError(503, 'STORE_UNAVAILABLE')
    await delay(latency, init?.signal)
    return reorg ? this.#rewind(url, response) : this.#remember(url, response)
  }

  /** Keeps a response if it is of another block than the previous one. */
  async #remember(url: string, response: Response): Promise<Response> {
    const blockNumbers = response.headers.get('x-block-numbers')
    if (!response.ok || blockNumbers === null) {
      return response
    }
    const past = this.#past.get(url) ?? []
    if (past.at(-1)?.blockNumbers !== blockNumbers) {
      const body = await response.clone().text()
      if (body.length <= maxBodyLength) {
        this.#past.delete(url)
        this.#past.set(url, [...past, { body, blockNumbers }].slice(-maxPastResponses))
      }
    }
    for (const oldest of this.#past.keys()) {
      if (this.#past.size <= maxUrls) {
        break
      }
      this.#past.delete(oldest)
    }
    return response
  }

  /** Replaces body and blocks of a response by those of the earliest known one. Its cost remains. */
  #rewind(url: string, response: Response): Response {
    const [earliest] = this.#past.get(url) ?? []
    if (!earliest || !response.ok) {
      return response
    }
    const headers = new Headers(response.headers)
    headers.set('x-block-numbers', earliest.blockNumbers)
    return new Response(earliest.body, { status: response.status, headers })
  }
}

/** An error as that of the service. */
function createError(status: number, code: string, headers?: Record<string, string>): Response {
  const message = 'Injected by the devtools'
  const requestId = `devtools-${crypto.randomUUID()}`
  const body = JSON.stringify({ error: message, message, code, request_id: requestId })
  return new Response(body, {
    status,
    headers: {
      'content-type': 'application/json',
      'x-request-id': requestId,
      'x-compute-units-cost': '0',
      ...headers,
    },
  })
}

async function delay(milliseconds: number, signal: AbortSignal | null | undefined): Promise<void> {
  if (milliseconds <= 0) {
    return
  }
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    })
  })
}
