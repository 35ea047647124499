import { afterAll, afterEach, beforeEach } from 'vitest'
import { type Client, type ClientOptions } from '../src/client/Client.ts'
import { createClient } from '../src/client/createClient.ts'
import { respondWith, startServer } from './startServer.ts'

/**
 * Starts an HTTP server for the tests of a file, which is reset before each test. Returns a function that creates clients,
 * which are destroyed after each test.
 *
 * @param answer - The initial responder.
 */
export async function sharedServer(respond = respondWith({})) {
  const server = await startServer(respond)
  const clients: Client[] = []
  beforeEach(() => {
    server.requests.length = 0
    server.use(respond)
  })
  afterEach(() => {
    for (const client of clients.splice(0)) {
      client.destroy()
    }
  })
  afterAll(() => server.close())

  const create = (options: Partial<ClientOptions> = {}): Client => {
    const client = createClient({ baseUrl: server.baseUrl, ssr: false, ...options })
    clients.push(client)
    return client
  }
  return { server, create }
}
