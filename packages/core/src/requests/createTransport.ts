import { API_KEY_HEADER } from '@headwater/contract'
import { getAbortReason, getOrigin, maxTimerDelayMs } from '../environment.ts'
import { DestroyedError } from '../errors/DestroyedError.ts'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import { InvalidResponseError } from '../errors/InvalidResponseError.ts'
import { NetworkError } from '../errors/NetworkError.ts'
import { TimeoutError } from '../errors/TimeoutError.ts'
import { parseErrorResponse } from './parseErrorResponse.ts'

/** Sends requests. One attempt each; retries belong to the query. */
export interface Transport {
  /** Replaces the global `fetch`. Read for each request, so that tools can replace it. */
  fetch: typeof globalThis.fetch | undefined
  /**
   * @param pathAndQuery - Relative to the base URL, such as `/v1/evm/balances/0x…?limit=1`.
   * @param signal - Aborts the request.
   * @param listener - Observes the request.
   * @returns The parsed JSON body, the headers and the full URL.
   * @throws {InvalidParameterError} when the base URL is a path, and there is no page that it is relative to.
   * @throws {NetworkError | TimeoutError | HttpError | InvalidResponseError} when the request fails.
   * @throws {unknown} `signal.reason` when the signal aborts; the error of a hook or of a defect.
   */
  get(
    pathAndQuery: string,
    signal?: AbortSignal,
    listener?: RequestListener,
  ): Promise<{ readonly url: string; readonly body: unknown; readonly headers: Headers }>
  /**
   * Opens a stream. The timeout covers its headers, and not its body, which the caller cancels. Hooks see the request only.
   *
   * @param headers - Headers in addition to those of all requests.
   * @returns The response, also with an error status.
   */
  open(pathAndQuery: string, signal: AbortSignal, headers: HeaderRecord): Promise<Response>
  /**
   * Identifies the service and the key that requests are sent with.
   *
   * @param digest - Hashes the identity. The key is not exposed in any other way.
   */
  identify(digest: (secret: string) => string): string
  /** Aborts all requests in flight. */
  destroy(): void
}

/** Observes a request. */
export interface RequestListener {
  /** Called immediately before `fetch`. */
  readonly onSend: () => void
  /** Called with the headers of a response, or of an error response, before its body is read. */
  readonly onHeaders: (response: Pick<Response, 'ok' | 'status' | 'headers'>) => void
}

export type MaybePromise<T> = T | PromiseLike<T>

type HeaderRecord = Readonly<Record<string, string>>

/** The options of a client that apply to its requests. */
export interface TransportOptions {
  /**
   * URL of the service: absolute, `http` or `https`. A path and a trailing slash are allowed. In browsers also a path on the
   * page's own origin, such as `/api`, which each request resolves. On a server, a client with a path renders what is cached,
   * and sends requests only with a `fetch` that accepts paths, such as that of `createProxy`.
   */
  readonly baseUrl: string
  /**
   * API key. Omit it if a proxy adds it, which keeps it out of browsers. Requests with a key or `headers` follow no redirect,
   * so `baseUrl` must be the final URL.
   */
  readonly apiKey?: string | undefined
  /** Header that carries the key. Default `X-Service-Api-Key`. */
  readonly apiKeyHeader?: string | undefined
  /**
   * Headers of all requests: an object, or a function that returns one for each request, such as the token of a session. They
   * replace those of the client.
   */
  readonly headers?: HeaderRecord | (() => MaybePromise<HeaderRecord>) | undefined
  /** Replaces the global `fetch`. On a server with a path as `baseUrl`, it receives paths. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /**
   * Called before each attempt of a request is sent. What it returns replaces the request. An error that it throws rejects
   * the request unchanged and costs no units; so do those of `headers`.
   */
  readonly onRequest?:
    | ((
        request: Request,
        init: RequestInit,
      ) => MaybePromise<(RequestInit & { readonly url?: string | undefined }) | undefined | void>)
    | undefined
  /**
   * Called with a copy of each response and error response, of which it may read the body. An error that it throws rejects
   * the request unchanged.
   */
  readonly onResponse?: ((response: Response) => MaybePromise<void>) | undefined
  /** Timeout of one attempt of a request, in milliseconds; more than 0. Default 30,000. */
  readonly timeout?: number | undefined
}

const defaultTimeoutMs = 30_000

/**
 * Creates the transport of a client.
 *
 * @throws {InvalidParameterError} when a header cannot be sent, or the timeout is not positive.
 */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, apiKey, apiKeyHeader = API_KEY_HEADER, timeout = defaultTimeoutMs } = options
  const { headers, onRequest, onResponse } = options
  if (!(timeout > 0)) {
    throw new InvalidParameterError('timeout', 'must be > 0')
  }
  let ownHeaders: HeaderRecord = { accept: 'application/json' }
  if (apiKey !== undefined) {
    const keyHeader = { [apiKeyHeader]: apiKey.trim() }
    ownHeaders = addHeaders(ownHeaders, keyHeader, 'apiKeyHeader', 'apiKey')
  }
  if (typeof headers !== 'function') {
    ownHeaders = addHeaders(ownHeaders, headers)
  }
  // `fetch` would send them to the target of a redirect, on any origin.
  const hasSecrets = (apiKey ?? headers) !== undefined

  /** Functions that cancel a request in flight with a reason. */
  const inFlight = new Set<(reason: unknown) => void>()
  let isDestroyed = false
  const transport: Transport = {
    fetch: options.fetch,
    identify: (digest) => digest(JSON.stringify([baseUrl, ownHeaders])),
    async open(pathAndQuery, signal, added) {
      const url = toUrl(pathAndQuery)
      return await send(url, signal, undefined, (response) => Promise.resolve(response), added)
    },
    async get(pathAndQuery, signal, listener) {
      const url = toUrl(pathAndQuery)
      const { response, text } = await send(url, signal, listener, async (received) => {
        await onResponse?.(received.clone())
        return {
          response: received,
          text: await received.text().catch((error: unknown) => toNetworkError(url, error)),
        }
      })
      const { ok, status } = response
      // With `redirect: 'manual'`, browsers hide even the status of a redirect.
      if (hasSecrets && !ok && status < 400) {
        throw new InvalidResponseError(url, 'a redirect, with a key or headers')
      }
      if (!ok) {
        throw parseErrorResponse(url, response, text)
      }
      try {
        return { url, body: JSON.parse(text) as unknown, headers: response.headers }
      } catch (error) {
        throw new InvalidResponseError(url, `not JSON: "${text.slice(0, 80)}"`, error)
      }
    },
    destroy() {
      isDestroyed = true
      for (const cancel of inFlight) {
        cancel(new DestroyedError())
      }
    },
  }
  return transport

  /** @throws {InvalidParameterError} when the base URL is a path, and there is no page that it is relative to. */
  function toUrl(pathAndQuery: string): string {
    const origin = /^http/i.test(baseUrl) ? '' : getOrigin()
    // `onRequest` receives a `Request`, whose URL is absolute.
    if (origin === undefined && (!transport.fetch || onRequest)) {
      const rule = 'must be an absolute URL in a client of a server that sends requests'
      throw new InvalidParameterError('baseUrl', rule, baseUrl)
    }
    return `${origin ?? ''}${baseUrl}${pathAndQuery}`
  }

  /** Sends a request and reads its response. The timeout covers both, and the hooks. */
  async function send<Result>(
    url: string,
    signal: AbortSignal | undefined,
    listener: RequestListener | undefined,
    read: (response: Response) => Promise<Result>,
    added: HeaderRecord = {},
  ): Promise<Result> {
    if (isDestroyed) {
      throw new DestroyedError()
    }
    if (signal?.aborted) {
      throw getAbortReason(signal)
    }
    const fetch = transport.fetch ?? globalThis.fetch
    if (typeof fetch !== 'function') {
      throw new InvalidParameterError('fetch', 'is missing')
    }
    // `AbortSignal.any`, `AbortSignal.timeout` and `throwIfAborted` are missing in browsers that apps still support.
    const controller = new AbortController()
    let cancel!: (reason: unknown) => void
    // Rejects also if a custom `fetch` ignores the signal, and before all that `abort` causes.
    const cancelled = new Promise<never>((_, reject) => {
      cancel = (reason) => {
        reject(reason as Error)
        controller.abort(reason)
      }
    })
    inFlight.add(cancel)
    const abort = () => cancel(getAbortReason(signal))
    signal?.addEventListener('abort', abort)
    const timer = setTimeout(
      () => cancel(new TimeoutError(url, timeout)),
      Math.min(timeout, maxTimerDelayMs),
    )
    // Sends synchronously unless headers or a hook have to be awaited.
    const exchange = async () => {
      const init: RequestInit & { readonly url?: string | undefined } = {
        headers: {
          ...(typeof headers === 'function' ? addHeaders(ownHeaders, await headers()) : ownHeaders),
          ...added,
        },
        signal: controller.signal,
        ...(hasSecrets && { redirect: 'manual' }),
      }
      const sent = (onRequest && (await onRequest(new Request(url, init), init))) ?? init
      if (controller.signal.aborted) {
        return cancelled
      }
      listener?.onSend()
      const response = await new Promise<Response>((resolve) => {
        resolve(fetch(sent.url ?? url, sent))
      }).catch((error: unknown) => toNetworkError(url, error))
      listener?.onHeaders(response)
      return read(response)
    }
    try {
      return await Promise.race([exchange(), cancelled])
    } finally {
      inFlight.delete(cancel)
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }
}

/** Converts what `fetch` rejects with: a TypeError or a DOMException. Other errors are defects of code. */
function toNetworkError(url: string, error: unknown): never {
  const isDefect = error instanceof ReferenceError || error instanceof SyntaxError
  throw isDefect ? error : new NetworkError(url, error)
}

/**
 * Adds headers, in lower case so that they replace earlier ones. `fetch` would reject an invalid one as if the network were
 * offline. The value may be a secret, so the error does not contain it.
 */
function addHeaders(
  headers: HeaderRecord,
  given: HeaderRecord | undefined | null,
  nameParameter = 'headers',
  valueParameter = 'headers',
): HeaderRecord {
  const all = { ...headers }
  // `Object.entries` does not see the entries of an instance of `Headers`. Bundlers remove the check for production.
  if (process.env.NODE_ENV !== 'production' && Symbol.iterator in Object(given)) {
    throw new InvalidParameterError(nameParameter, 'must be an object')
  }
  for (const [name, value] of Object.entries(given ?? {})) {
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
      throw new InvalidParameterError(nameParameter, 'has an invalid header name')
    }
    // A value may be null or undefined in plain JavaScript, as without a session, and would be sent as text.
    if (!/^[\t -~\x80-\xff]*$/.test((value as string | undefined) ?? '\n')) {
      throw new InvalidParameterError(valueParameter, 'has a value that a header cannot contain')
    }
    all[name.toLowerCase()] = value
  }
  return all
}
