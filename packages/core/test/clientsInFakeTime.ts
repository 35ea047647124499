import { focusManager, onlineManager } from '@tanstack/query-core'
import type { Observable, ObservedValueOf } from 'rxjs'
import { afterEach, beforeEach, vi } from 'vitest'
import { type Client, type ClientOptions } from '../src/client/Client.ts'
import { createClient } from '../src/client/createClient.ts'

/**
 * Runs the tests of a file in fake time, with the page visible and online at first. Returns a function that creates
 * clients, which are destroyed after each test.
 *
 * @param fetchNow - Returns the `fetch` of the current test.
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

/** Advances fake time and runs the timers that become due. */
export const advance = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

/** Subscribes to a stream and records what it emits. */
export function record<Stream extends Observable<unknown>>(stream: Stream) {
  const emitted: ObservedValueOf<Stream>[] = []
  const subscription = stream.subscribe(
    (snapshot) => void emitted.push(snapshot as ObservedValueOf<Stream>),
  )
  return { emitted, subscription, stream }
}
