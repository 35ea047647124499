import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { chainsChannel } from './chainsChannel.ts'
import { endClient } from './endClient.ts'
import { isTransactionPooled, receivesNotifications } from './isTransactionPooled.ts'

const connectionTimeoutMs = 5_000
const queryTimeoutMs = 8_000
/** The interval of queries that detect a broken connection. */
const heartbeatMs = 2_000

/** What is wrong with a URL, and the remedy. */
export const withoutNotifications =
  'leads to a pooler that delivers no notifications, as PgBouncer in transaction mode, or to another database: set listenUrl to a direct connection'

interface ListenOptions {
  readonly databaseUrl: string
  /** Receives what is sent to `databaseUrl`; default: that one. */
  readonly listenUrl?: string | undefined
  /** Called when no notifications arrive. */
  readonly onPooled?: (() => void) | undefined
}

/**
 * Listens for changes of the chains, on its own connection. While it cannot connect, it calls `onChange` every `pollMs`
 * and reconnects. Through a pooler in transaction mode, which delivers no notifications, it calls `onChange` every `pollMs`.
 *
 * @returns a function that stops it.
 */
export function listenForChanges(
  options: ListenOptions,
  onChange: () => void,
  pollMs: number,
): () => Promise<void> {
  const stopped = new AbortController()
  let isPooled = false
  const listening = (async () => {
    while (!stopped.signal.aborted) {
      if (!isPooled) {
        await listen(options, onChange, stopped.signal).catch((error: unknown) => {
          isPooled = error instanceof PooledError
        })
        if (isPooled) {
          options.onPooled?.()
        }
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
async function listen(
  { databaseUrl, listenUrl = databaseUrl }: ListenOptions,
  onChange: () => void,
  signal: AbortSignal,
) {
  const client = createClient(listenUrl)
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  client.on('notification', onChange)
  const stoppedOrLost = AbortSignal.any([signal, lost.signal])
  try {
    await client.connect()
    if (!(await canListen(client, { databaseUrl, listenUrl }))) {
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
    await endClient(client)
  }
}

/**
 * Whether notifications of a database arrive.
 *
 * @param client - is connected to `listenUrl`.
 */
export async function canListen(
  client: pg.Client,
  { databaseUrl, listenUrl = databaseUrl }: ListenOptions,
): Promise<boolean> {
  const sender = createClient(databaseUrl)
  return listenUrl === databaseUrl
    ? !(await isTransactionPooled(client, sender))
    : await receivesNotifications(client, sender)
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
