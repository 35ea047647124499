import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { chainsChannel } from './chainsChannel.ts'

const connectionTimeoutMs = 5_000
const patienceMs = 8_000
/** A connection that broke without a word is noticed by this. */
const heartbeatMs = 2_000

/**
 * Hears on a connection of its own when chains have changed. While there is no connection, it calls back as often as
 * `pollMs` says, and tries again.
 *
 * @returns a function that ends it.
 */
export function watchByListening(
  databaseUrl: string,
  onChange: () => void,
  pollMs: number,
): () => Promise<void> {
  const ended = new AbortController()
  const watching = (async () => {
    while (!ended.signal.aborted) {
      await listen(databaseUrl, onChange, ended.signal).catch(() => {})
      // What happened since it broke is not known.
      onChange()
      await delay(pollMs, undefined, { signal: ended.signal }).catch(() => {})
    }
  })()
  return async () => {
    ended.abort()
    await watching
  }
}

/** Returns or throws when the connection is gone. */
async function listen(databaseUrl: string, onChange: () => void, signal: AbortSignal) {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectionTimeoutMs,
    query_timeout: patienceMs,
    keepAlive: true,
    application_name: 'headwater listen',
  })
  const gone = new AbortController()
  client.on('error', () => gone.abort())
  client.on('end', () => gone.abort())
  client.on('notification', onChange)
  const either = AbortSignal.any([signal, gone.signal])
  try {
    await client.connect()
    await client.query(`listen ${chainsChannel}`)
    onChange()
    while (!either.aborted) {
      await delay(heartbeatMs, undefined, { signal: either }).catch(() => {})
      if (!either.aborted) {
        await client.query('select 1')
      }
    }
  } finally {
    await client.end().catch(() => {})
  }
}
