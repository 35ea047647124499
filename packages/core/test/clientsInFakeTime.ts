import { focusManager, onlineManager } from '@tanstack/query-core'
import type { Observable, ObservedValueOf } from 'rxjs'
import { afterEach, beforeEach, vi } from 'vitest'
import { type Client, type ClientOptions } from '../src/client/Client.ts'
import { createClient } from '../src/client/createClient.ts'

/**
 * Lets the tests of a file run in fake time, on a page that is seen and online to begin with, and gives them what makes
 * clients, which end with their test.
 *
 * @param fetchNow - Gives the `fetch` of the present test's service.
 */
export function clientsInFakeTime(fetchNow: () => typeof globalThis.fetch) {
  const clients: Client[] = []
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => {
    for (const client of clients.splice(0)) {
      client.destroy()
    }
    focusManager.setFocused(undefined)
    onlineManager.setOnline(true)
    vi.useRealTimers()
  })
  return (options: Partial<ClientOptions> = {}): Client => {
    const client = createClient({
      baseUrl: 'https://example.org',
      fetch: fetchNow(),
      ssr: false,
      ...options,
    })
    clients.push(client)
    return client
  }
}

/** Lets time go by, and what is due in it happen. */
export const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

/** Listens to a stream, and keeps what it shows. */
export function record<Stream extends Observable<unknown>>(stream: Stream) {
  const seen: ObservedValueOf<Stream>[] = []
  const subscription = stream.subscribe(
    (snapshot) => void seen.push(snapshot as ObservedValueOf<Stream>),
  )
  return { seen, subscription, stream }
}
