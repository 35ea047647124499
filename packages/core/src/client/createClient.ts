import { QueryClient } from '@tanstack/query-core'
import { CHANGES_HEADER } from '@headwater/contract'
import { UsageTracker } from '../budget/UsageTracker.ts'
import { getOrigin, isServer, warnOfCopies, warnOfMissingPolls } from '../environment.ts'
import { InvalidParameterError } from '../errors/InvalidParameterError.ts'
import { Connection } from '../push/Connection.ts'
import { createQueryKey, getQueryHash } from '../queries/queryKey.ts'
import { StreamRegistry } from '../queries/StreamRegistry.ts'
import { watchOptionTypes } from '../queries/WatchOptions.ts'
import { createTransport } from '../requests/createTransport.ts'
import { responseOrigins, transferOrigin } from '../requests/responseOrigins.ts'
import type { Client, ClientOptions, ResponseEvent } from './Client.ts'
import { type OptionTypes, requireTypes } from './requireClient.ts'

/**
 * Creates a client: one per service and app, or one per request on a server.
 *
 * @param input - Service, key and defaults. An option that is null counts as absent.
 * @returns The client, which is the first argument of all functions of this package.
 * @throws {InvalidParameterError} when `baseUrl` is neither an absolute `http` or `https` URL nor, in browsers and on
 *   servers, a path; the key, its header name or one of `headers` cannot be sent as a header; `timeout` is not positive; or, in
 *   development, an option has another type.
 * @example
 * import { createClient } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org/data', apiKey: 'key' })
 */
export function createClient(input: ClientOptions): Client {
  const options = validateOptions(input)
  const ssr = options.ssr ?? isServer()
  const baseUrl = normalizeBaseUrl(options.baseUrl, ssr)
  const queryClient = (options.queryClient as QueryClient | undefined) ?? new QueryClient()
  const usageTracker = new UsageTracker()
  const connection = new Connection()
  const { restore } = connection
  const streams = new StreamRegistry(queryClient, ssr, restore, options.defaultOptions?.queries)
  // Bundlers replace the expression, and remove the code for production.
  if (process.env.NODE_ENV !== 'production') {
    if (!(queryClient instanceof QueryClient)) {
      warnOfCopies()
    }
    if (options.ssr === undefined) {
      streams.poller.warn = warnOfMissingPolls
    }
  }
  const transport = createTransport({ ...options, baseUrl })
  const destroyCallbacks = new Set<() => void>()
  const client = Object.assign(new ClientObject(), {
    baseUrl,
    scope: options.scope ?? baseUrl,
    queryClient,
    ssr,
    transport,
    onError: options.onError,
    streams,
    responseListeners: new Set<(event: ResponseEvent) => void>(),
    usageTracker,
    state: new Map(),
    usage$: usageTracker.usage$,
    getUsage: usageTracker.getUsage,
    connection,
    connection$: connection.connection$,
    onDestroy(callback: () => void) {
      destroyCallbacks.add(callback)
      return () => void destroyCallbacks.delete(callback)
    },
    destroy() {
      for (const callback of destroyCallbacks) {
        callback()
      }
      destroyCallbacks.clear()
      streams.destroy()
      if (options.queryClient === undefined) {
        queryClient.clear()
      }
      // After everything that cancels its requests silently.
      transport.destroy()
      usageTracker.destroy()
      connection.destroy()
    },
  })
  if (ssr) {
    client.responseListeners.add(({ operation, parameters, response, headers }) => {
      const queryKey = createQueryKey(client.scope, operation, parameters)
      const query = queryClient.getQueryCache().get(getQueryHash(queryClient, queryKey))
      const origin = responseOrigins.get(response)
      if (query && origin && headers?.has(CHANGES_HEADER)) {
        transferOrigin(query, origin)
      }
    })
  } else if (options.push !== false) {
    connection.follow(client.responseListeners, async () => {
      const { ChangeFollower } = await import('../push/ChangeFollower.ts')
      if (!connection.isDestroyed) {
        new ChangeFollower(client)
      }
    })
  }
  return client
}

/**
 * Not a plain object: Vue's `reactive`, Pinia, Svelte's `$state` and MobX would wrap one in a proxy, which has another
 * identity and no access to private members. Vue decides by the tag, the others by the prototype.
 */
class ClientObject {
  get [Symbol.toStringTag](): string {
    return 'Client'
  }
}

const optionTypes: OptionTypes = {
  apiKey: ['string'],
  apiKeyHeader: ['string'],
  scope: ['string'],
  fetch: ['function'],
  onRequest: ['function'],
  onResponse: ['function'],
  onError: ['function'],
  ssr: ['boolean'],
  push: ['boolean'],
  queryClient: ['object'],
  defaultOptions: ['object'],
}

/** For plain JavaScript and environment variables. */
function validateOptions(input: ClientOptions): ClientOptions {
  const options: Record<string, unknown> = { ...input }
  for (const name of Object.keys(options)) {
    options[name] ??= undefined
  }
  // Bundlers replace the expression, and remove the code for production.
  if (process.env.NODE_ENV !== 'production') {
    const { defaultOptions } = options as Partial<ClientOptions>
    requireTypes(options, optionTypes)
    requireTypes(defaultOptions, { queries: ['object'] }, 'defaultOptions.')
    requireTypes(defaultOptions?.queries, watchOptionTypes, 'defaultOptions.queries.')
    if (options.queryClient && !('getQueryCache' in (options.queryClient as object))) {
      throw new InvalidParameterError('queryClient', 'must be a QueryClient')
    }
  }
  return options as unknown as ClientOptions
}

/** Without `URL`, which is missing in some runtimes and has no `protocol` in React Native before 0.80. */
function normalizeBaseUrl(given: string, ssr: boolean): string {
  // An environment variable may be undefined.
  const trimmed = String(given).trim()
  const baseUrl = trimmed.replace(/[/?#]+$/, '')
  if (/[?#]|\/\/[^/]*@/.test(baseUrl)) {
    // The value may contain a secret, so the error does not.
    throw new InvalidParameterError('baseUrl', 'must not have a query, fragment or credentials')
  }
  // The client of a component is created on the server, too. It renders what is cached there.
  const isPath = /^\/(?!\/)/.test(trimmed) && (ssr || getOrigin() !== undefined)
  if (!isPath && !/^https?:\/\/[^\s/:\\][^\s\\]*$/i.test(baseUrl)) {
    const rule = 'must be an absolute http or https URL, or in browsers a path such as "/api"'
    throw new InvalidParameterError('baseUrl', rule, given)
  }
  return baseUrl
}
