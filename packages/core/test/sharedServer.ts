import { afterAll, afterEach, beforeEach } from 'vitest'
import { type Client, type ClientOptions } from '../src/client/Client.ts'
import { createClient } from '../src/client/createClient.ts'
import { answering, startServer } from './startServer.ts'

/**
 * Starts a real server for the tests of a file, which begins anew with each, and gives them what makes its clients, which
 * end with their test.
 *
 * @param answer - What the server answers to begin with.
 */
export async function sharedServer(answer = answering({})) {
  const server = await startServer(answer)
  const clients: Client[] = []
  beforeEach(() => {
    server.requests.length = 0
    server.answerWith(answer)
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
