import { API_KEY_HEADER } from '@headwater/contract'
import { getOrigin, maxTimerDelayMs } from '../environment.ts'
import { DestroyedError } from '../errors/DestroyedError.ts'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import { InvalidResponseError } from '../errors/InvalidResponseError.ts'
import { NetworkError } from '../errors/NetworkError.ts'
import { TimeoutError } from '../errors/TimeoutError.ts'
import { parseErrorResponse } from './parseErrorResponse.ts'

/** Sends requests. One attempt each; retries belong to the query. */
export interface Transport {
  /**
   * @param pathAndQuery - Relative to the base URL, such as `/v1/evm/balances/0x…?limit=1`.
   * @param signal - Aborts the request.
   * @param onHeaders - Called with the headers of a response, or of an error response, before its body is read.
   * @returns The parsed JSON body and the full URL.
   * @throws {NetworkError | TimeoutError | HttpError | InvalidResponseError} when the request fails.
   * @throws {unknown} `signal.reason` when the signal aborts.
   */
  get(
    pathAndQuery: string,
    signal: AbortSignal | undefined,
    onHeaders?: (response: Pick<Response, 'ok' | 'headers'>) => void,
  ): Promise<{ readonly url: string; readonly body: unknown }>
  /**
   * Identifies the service and the key that requests are sent with.
   *
   * @param digest - Hashes the identity. The key is not exposed in any other way.
   */
  identify(digest: (secret: string) => string): string
  /** Aborts all requests in flight. */
  destroy(): void
}

interface TransportOptions {
  /** Absolute, or a path on the page's own origin; without a trailing slash. */
  readonly baseUrl: string
  readonly apiKey?: string
  readonly apiKeyHeader?: string
  readonly fetch?: typeof globalThis.fetch
  readonly timeout?: number
}

const defaultTimeoutMs = 30_000

/**
 * Creates the transport of a client.
 *
 * @throws {InvalidParameterError} when the key or its header cannot be sent, or the timeout is not positive.
 */
export function createTransport(options: TransportOptions): Transport {
  const { baseUrl, apiKey, apiKeyHeader = API_KEY_HEADER, timeout = defaultTimeoutMs } = options
  const headers: Record<string, string> = { accept: 'application/json' }
  if (!(timeout > 0)) {
    throw new InvalidParameterError('timeout', 'must be > 0')
  }
  if (apiKey !== undefined) {
    const key = apiKey.trim()
    // `fetch` would reject as if the network were offline. The value is a secret, so the error does not contain it.
    if (!/^[\t -~\x80-\xff]*$/.test(key)) {
      throw new InvalidParameterError('apiKey', 'has characters that a header cannot contain')
    }
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(apiKeyHeader)) {
      throw new InvalidParameterError('apiKeyHeader', 'must be a header name')
    }
    headers[apiKeyHeader] = key
  }

  /** Functions that cancel a request in flight with a reason. */
  const inFlight = new Set<(reason: unknown) => void>()
  let isDestroyed = false
  return {
    identify: (digest) => digest(JSON.stringify([baseUrl, headers])),
    async get(pathAndQuery, signal, onHeaders) {
      const origin = /^http/i.test(baseUrl) ? '' : getOrigin()
      const url = `${origin}${baseUrl}${pathAndQuery}`
      const { response, text } = await send(url, signal, onHeaders)
      const { ok, status } = response
      // With `redirect: 'manual'`, browsers hide even the status of a redirect.
      if (apiKey !== undefined && !ok && status < 400) {
        throw new InvalidResponseError(url, 'a redirect, with a key')
      }
      if (!ok) {
        throw parseErrorResponse(url, response, text)
      }
      try {
        return { url, body: JSON.parse(text) as unknown }
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

  /** Sends a request and reads its body. The timeout covers both. */
  async function send(
    url: string,
    signal: AbortSignal | undefined,
    onHeaders: Parameters<Transport['get']>[2],
  ) {
    if (isDestroyed) {
      throw new DestroyedError()
    }
    if (signal?.aborted) {
      throw signal.reason as Error
    }
    const fetch = options.fetch ?? globalThis.fetch
    if (typeof fetch !== 'function') {
      throw new InvalidParameterError('fetch', 'is missing')
    }
    // `AbortSignal.any`, `AbortSignal.timeout` and `throwIfAborted` are missing in browsers that apps still support.
    const controller = new AbortController()
    let cancellation: { readonly reason: unknown } | undefined
    let cancel!: (reason: unknown) => void
    // Rejects also if a custom `fetch` ignores the signal. The `AbortController` of React Native has no `reason`.
    const cancelled = new Promise<never>((_, reject) => {
      cancel = (reason) => {
        cancellation = { reason }
        controller.abort(reason)
        reject(reason as Error)
      }
    })
    inFlight.add(cancel)
    const abort = () => cancel(signal?.reason)
    signal?.addEventListener('abort', abort)
    const timer = setTimeout(
      () => cancel(new TimeoutError(url, timeout)),
      Math.min(timeout, maxTimerDelayMs),
    )
    const exchange = async () => {
      const response = await fetch(url, {
        headers,
        signal: controller.signal,
        // `fetch` would send the key to the target of a redirect, on any origin.
        ...(apiKey !== undefined && { redirect: 'manual' }),
      })
      onHeaders?.(response)
      return { response, text: await response.text() }
    }
    try {
      return await Promise.race([exchange(), cancelled])
    } catch (error) {
      if (cancellation) {
        throw cancellation.reason as Error
      }
      // `fetch` rejects with a TypeError or a DOMException. These are defects of code, such as a missing global.
      if (error instanceof ReferenceError || error instanceof SyntaxError) {
        throw error
      }
      throw new NetworkError(url, error)
    } finally {
      inFlight.delete(cancel)
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }
}
