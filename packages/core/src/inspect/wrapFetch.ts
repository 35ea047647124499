import type { Client } from '../client/Client.ts'
import { perClient } from '../client/perClient.ts'

/**
 * Wraps a `fetch`, for example to delay its responses.
 *
 * @example
 * import type { FetchWrapper } from '@headwater/core/inspect'
 * const fail: FetchWrapper = () => () => Promise.resolve(new Response('{}', { status: 503 }))
 */
export type FetchWrapper = (fetch: typeof globalThis.fetch) => typeof globalThis.fetch

/**
 * Wraps the `fetch` of a client, below its hooks, timeouts, retries and accounting. For development: faults that it injects
 * reach the app as those of the service do.
 *
 * @param client - The client.
 * @param wrapper - Called for each request with the `fetch` that it wraps. The latest wrapper is the outermost.
 * @returns Removes the wrapper.
 * @example
 * import { createClient } from '@headwater/core'
 * import { wrapFetch } from '@headwater/core/inspect'
 * const client = createClient({ baseUrl: 'https://example.org' })
 * const unwrap = wrapFetch(client, (fetch) => async (url, init) => {
 *   await new Promise((resolve) => setTimeout(resolve, 1000))
 *   return fetch(url, init)
 * })
 * unwrap()
 */
export function wrapFetch(client: Client, wrapper: FetchWrapper): () => void {
  const { transport } = client
  const wrappers = getWrappers(client)
  if (wrappers.size === 0) {
    const { fetch: original } = transport
    wrappers.original = original
    const innermost: typeof fetch = (input, init) => (original ?? globalThis.fetch)(input, init)
    transport.fetch = (input, init) =>
      [...wrappers].reduce((fetch, wrap) => wrap(fetch), innermost)(input, init)
  }
  // A wrapper that is added twice is removed twice.
  const added: FetchWrapper = (fetch) => wrapper(fetch)
  wrappers.add(added)
  return () => {
    if (wrappers.delete(added) && wrappers.size === 0) {
      transport.fetch = wrappers.original
    }
  }
}

class Wrappers extends Set<FetchWrapper> {
  /** The `fetch` of the client without wrappers; undefined for the global one. */
  original: typeof globalThis.fetch | undefined
}

const getWrappers = /* @__PURE__ */ perClient(() => new Wrappers())
