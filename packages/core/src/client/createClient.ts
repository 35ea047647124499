import type { Client, ClientOptions } from './Client.ts'

/**
 * Makes a client: one a service and app, or one a request on a server.
 *
 * @param options - Where the service is, and the key.
 * @returns The client that all functions of this package take first.
 * @throws InvalidParameterError when `baseUrl` is not an absolute `http` or `https` URL.
 * @example
 * import { createClient } from '@headwater/core'
 * const client = createClient({ baseUrl: 'https://example.org/data', apiKey: 'key' })
 */
export function createClient(options: ClientOptions): Client {
  throw new Error(`stub ${options.baseUrl}`)
}
