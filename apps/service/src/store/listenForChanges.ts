import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { chainsChannel } from './chainsChannel.ts'

const connectionTimeoutMs = 5_000
const queryTimeoutMs = 8_000
/** The interval of queries that detect a broken connection. */
const heartbeatMs = 2_000

/**
 * Listens for changes of the chains, on its own connection. While it cannot connect, it calls `onChange` every `pollMs`
 * and reconnects.
 *
 * @returns a function that stops it.
 */
export function listenForChanges(
  databaseUrl: string,
  onChange: () => void,
  pollMs: number,
): () => Promise<void> {
  const stopped = new AbortController()
  const listening = (async () => {
    while (!stopped.signal.aborted) {
      await listen(databaseUrl, onChange, stopped.signal).catch(() => {})
      // Notifications may have been missed.
      onChange()
      await delay(pollMs, undefined, { signal: stopped.signal }).catch(() => {})
    }
  })()
  return async () => {
    stopped.abort()
    await listening
  }
}

/** Settles when the connection is lost or the signal aborts. */
async function listen(databaseUrl: string, onChange: () => void, signal: AbortSignal) {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectionTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    application_name: 'headwater listen',
  })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  client.on('notification', onChange)
  const stoppedOrLost = AbortSignal.any([signal, lost.signal])
  try {
    await client.connect()
    await client.query(`listen ${chainsChannel}`)
    onChange()
    while (!stoppedOrLost.aborted) {
      await delay(heartbeatMs, undefined, { signal: stoppedOrLost }).catch(() => {})
      if (!stoppedOrLost.aborted) {
        await client.query('select 1')
      }
    }
  } finally {
    await client.end().catch(() => {})
  }
}
