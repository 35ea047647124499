import { QueryClient } from '@tanstack/query-core'
import { isServer } from '../environment.ts'
import { createTransport } from '../http/createTransport.ts'
import { StreamRegistry } from '../streams/StreamRegistry.ts'
import { createLedger } from '../units/createLedger.ts'
import type { Client, ClientOptions } from './Client.ts'
import { normalizeBaseUrl } from './normalizeBaseUrl.ts'

/**
 * Makes a client: one a service and app, or one a request on a server.
 *
 * @param options - Where the service is, and the key.
 * @returns The client that all functions of this package take first.
 * @throws InvalidParameterError when `baseUrl` is not an absolute `http` or `https` URL, when the key or the
 *   name of its header cannot be sent in a header, when `timeout` is not more than 0, or when a number of `budget` is not 0 or more.
 * @example
 * import { createClient } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org/data', apiKey: 'key' })
 */
export function createClient(options: ClientOptions): Client {
  const baseUrl = normalizeBaseUrl(options.baseUrl)
  const queryClient = options.queryClient ?? new QueryClient()
  const ssr = options.ssr ?? isServer()
  const ledger = createLedger(options.budget)
  const streams = new StreamRegistry(queryClient, ssr, ledger)
  const transport = createTransport({ ...options, baseUrl })
  const callbacks = new Set<() => void>()
  return {
    baseUrl,
    queryClient,
    ssr,
    transport,
    streams,
    listeners: new Set(),
    ledger,
    usage$: ledger.usage$,
    getUsage: ledger.getUsage,
    setBudget(budget) {
      ledger.setBudget(budget)
      streams.poller.reconsider()
    },
    onDestroy(callback) {
      callbacks.add(callback)
      return () => void callbacks.delete(callback)
    },
    destroy() {
      for (const callback of callbacks) callback()
      callbacks.clear()
      streams.destroy()
      if (options.queryClient === undefined) queryClient.clear()
      // After what cancels in silence.
      transport.destroy()
      ledger.destroy()
    },
  }
}
