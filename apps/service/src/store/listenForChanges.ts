import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { chainsChannel } from './chainsChannel.ts'
import { isTransactionPooled } from './isTransactionPooled.ts'

const connectionTimeoutMs = 5_000
const queryTimeoutMs = 8_000
/** The interval of queries that detect a broken connection. */
const heartbeatMs = 2_000

/**
 * Listens for changes of the chains, on its own connection. While it cannot connect, it calls `onChange` every `pollMs`
 * and reconnects. Through a pooler in transaction mode, which delivers no notifications, it calls `onChange` every `pollMs`.
 *
 * @returns a function that stops it.
 */
export function listenForChanges(
  databaseUrl: string,
  onChange: () => void,
  pollMs: number,
): () => Promise<void> {
  const stopped = new AbortController()
  let isPooled = false
  const listening = (async () => {
    while (!stopped.signal.aborted) {
      if (!isPooled) {
        await listen(databaseUrl, onChange, stopped.signal).catch((error: unknown) => {
          isPooled = error instanceof PooledError
        })
      }
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

/**
 * Settles when the connection is lost or the signal aborts.
 *
 * @throws {PooledError} when notifications do not arrive.
 */
async function listen(databaseUrl: string, onChange: () => void, signal: AbortSignal) {
  const client = createClient(databaseUrl)
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  client.on('notification', onChange)
  const stoppedOrLost = AbortSignal.any([signal, lost.signal])
  try {
    await client.connect()
    if (await isTransactionPooled(client, createClient(databaseUrl))) {
      throw new PooledError()
    }
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

/** The database is reached through a pooler in transaction mode. */
class PooledError extends Error {}

function createClient(databaseUrl: string): pg.Client {
  return new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectionTimeoutMs,
    query_timeout: queryTimeoutMs,
    keepAlive: true,
    application_name: 'headwater listen',
  })
}
