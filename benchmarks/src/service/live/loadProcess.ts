// Sends requests in a process of its own, so that the responses to one key do not delay the clock of another.
import { createHistogram } from 'node:perf_hooks'
import autocannon from 'autocannon'
import { API_KEY_HEADER } from '@headwater/contract'

/** What the parent sends. */
export interface LoadMessage {
  readonly url: string
  readonly secret: string
  readonly connections: number
  /** In seconds. */
  readonly duration: number
  /** Each connection requests all of them in turn, from another one on. */
  readonly paths: readonly string[]
}

/** What it receives: milliseconds, and how often each status code was sent. */
export interface LoadResult {
  readonly rate: number
  readonly p50: number
  readonly p99: number
  readonly failed: number
}

process.on('message', (message: LoadMessage) => {
  void load(message).then((result) => process.send?.(result))
})

async function load(message: LoadMessage): Promise<LoadResult> {
  const { url, secret, connections, duration, paths } = message
  let next = 0
  // In microseconds: autocannon rounds to milliseconds.
  const latencies = createHistogram()
  const result = await autocannon({
    url,
    connections,
    duration,
    timeout: 60,
    headers: { [API_KEY_HEADER]: secret },
    setupClient: (client) => {
      const start = Math.floor((next++ * paths.length) / connections)
      const own = [...paths.slice(start), ...paths.slice(0, start)]
      client.setRequests(own.map((path) => ({ path })))
      client.on('response', (_status, _bytes, milliseconds) => {
        latencies.record(Math.max(1, Math.round(1000 * milliseconds)))
      })
    },
  })
  return {
    rate: result.requests.total / result.duration,
    p50: latencies.percentile(50) / 1000,
    p99: latencies.percentile(99) / 1000,
    failed: result.errors + result.non2xx,
  }
}
