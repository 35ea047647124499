import { API_KEY_HEADER } from '@headwater/contract'
import type { ClientOptions } from '../client/Client.ts'
import { createDestroyedError } from '../errors/createDestroyedError.ts'
import { HeadwaterError } from '../errors/HeadwaterError.ts'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import { MalformedAnswerError } from '../errors/MalformedAnswerError.ts'
import { NetworkError } from '../errors/NetworkError.ts'
import { TimeoutError } from '../errors/TimeoutError.ts'
import { longestDelay } from '../longestDelay.ts'
import { readRefusal } from './readRefusal.ts'
import type { Transport } from './Transport.ts'

const defaultTimeout = 30_000

/**
 * Makes the transport of a client. `options.baseUrl` has no trailing slash.
 *
 * @throws InvalidParameterError when the key or its header cannot be sent, or the time-out is none.
 */
export function createTransport(options: ClientOptions): Transport {
  const { baseUrl, apiKey, apiKeyHeader = API_KEY_HEADER, timeout = defaultTimeout } = options
  const headers: Record<string, string> = { accept: 'application/json' }
  if (!(timeout > 0)) throw new InvalidParameterError('timeout', 'must be more than 0')
  if (apiKey !== undefined) {
    const key = apiKey.trim()
    // Else `fetch` would refuse, as if the network were away. Not shown: it is a secret.
    if (!/^[\t -~\x80-\xff]*$/.test(key)) {
      throw new InvalidParameterError('apiKey', 'has characters that no header can carry')
    }
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(apiKeyHeader)) {
      throw new InvalidParameterError('apiKeyHeader', 'must be the name of a header')
    }
    headers[apiKeyHeader] = key
  }

  const underWay = new Set<AbortController>()
  let isOver = false
  return {
    identify: (digest) => digest(JSON.stringify([baseUrl, headers])),
    async get(pathAndQuery, signal, onHeaders) {
      const url = baseUrl + pathAndQuery
      const { response, text } = await send(url, signal, onHeaders)
      const { ok, status } = response
      // Browsers show nothing of a redirect that they do not follow, not even its status.
      if (apiKey !== undefined && !ok && status < 400) {
        throw new HeadwaterError('The service redirects, and the key goes to no other address.', {
          details: `GET ${url}`,
          advice: 'Make `baseUrl` an address that does not redirect.',
        })
      }
      if (!ok) throw readRefusal(url, response, text)
      try {
        return { url, body: JSON.parse(text) as unknown }
      } catch (error) {
        throw new MalformedAnswerError(url, `no JSON but "${text.slice(0, 80)}"`, error)
      }
    },
    destroy() {
      isOver = true
      for (const each of underWay) each.abort(createDestroyedError())
    },
  }

  /** The time covers the body too. */
  async function send(
    url: string,
    signal: AbortSignal | undefined,
    onHeaders: Parameters<Transport['get']>[2],
  ) {
    if (isOver) throw createDestroyedError()
    if (signal?.aborted) throw signal.reason as Error
    // By hand: `any`, `timeout` and `throwIfAborted` of signals are younger than browsers that apps still support.
    const controller = new AbortController()
    underWay.add(controller)
    const abort = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', abort)
    const timer = setTimeout(
      () => controller.abort(new TimeoutError(url, timeout)),
      Math.min(timeout, longestDelay),
    )
    // Also of a `fetch` of the app's own that knows no signals.
    const aborted = new Promise<never>((_, reject) => {
      controller.signal.onabort = () => reject(controller.signal.reason as Error)
    })
    const exchange = async () => {
      const fetch = options.fetch ?? globalThis.fetch
      const response = await fetch(url, {
        headers,
        signal: controller.signal,
        // `fetch` would take the header of the key along, to whatever address.
        ...(apiKey !== undefined && { redirect: 'manual' }),
      })
      onHeaders?.(response)
      return { response, text: await response.text() }
    }
    try {
      return await Promise.race([exchange(), aborted])
    } catch (error) {
      if (controller.signal.aborted) throw controller.signal.reason as Error
      throw new NetworkError(url, error)
    } finally {
      underWay.delete(controller)
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }
}
