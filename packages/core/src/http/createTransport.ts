import { API_KEY_HEADER } from '@headwater/contract'
import type { ClientOptions } from '../client/Client.ts'
import { MalformedAnswerError } from '../errors/MalformedAnswerError.ts'
import { NetworkError } from '../errors/NetworkError.ts'
import { TimeoutError } from '../errors/TimeoutError.ts'
import { readRefusal } from './readRefusal.ts'
import type { Transport } from './Transport.ts'

const defaultTimeout = 30_000

/** Makes the transport of a client. `options.baseUrl` has no trailing slash. */
export function createTransport(options: ClientOptions): Transport {
  const { baseUrl, apiKey, apiKeyHeader = API_KEY_HEADER, timeout = defaultTimeout } = options
  const headers: Record<string, string> = { accept: 'application/json' }
  if (apiKey !== undefined) headers[apiKeyHeader] = apiKey

  return {
    async get(pathAndQuery, signal) {
      const url = baseUrl + pathAndQuery
      const { response, text } = await send(url, signal)
      if (!response.ok) throw readRefusal(url, response, text)
      try {
        return { url, body: JSON.parse(text) as unknown }
      } catch (error) {
        throw new MalformedAnswerError(url, `no JSON but "${text.slice(0, 80)}"`, error)
      }
    },
  }

  /** The time covers the body too. */
  async function send(url: string, signal: AbortSignal | undefined) {
    signal?.throwIfAborted()
    // By hand: `AbortSignal.any` and `AbortSignal.timeout` are younger than browsers that apps still support.
    const controller = new AbortController()
    const abort = () => controller.abort(signal?.reason)
    signal?.addEventListener('abort', abort)
    const timer = setTimeout(() => controller.abort(new TimeoutError(url, timeout)), timeout)
    try {
      const fetch = options.fetch ?? globalThis.fetch
      const response = await fetch(url, { headers, signal: controller.signal })
      return { response, text: await response.text() }
    } catch (error) {
      controller.signal.throwIfAborted()
      throw new NetworkError(url, error)
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  }
}
