import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { endClient } from './endClient.ts'

/** What is wrong with the URL of a process that indexes, and what to do. */
export const withoutLocks =
  'reaches PostgreSQL through a pooler in transaction mode, which does not keep the lock of a chain: connect processes that index directly, or through a pooler in session mode'
/** How long a notification may take on a slow server. */
const notificationTimeoutMs = 3_000

/**
 * Whether a pooler such as PgBouncer, in transaction mode, executes each transaction of a connection in another session: locks
 * and settings of the session are then lost, and notifications do not arrive.
 *
 * @param client - a connection, which is not in a transaction.
 * @param other - is connected to the same database if it is needed, and closed.
 */
export async function isTransactionPooled(client: pg.Client, other: pg.Client): Promise<boolean> {
  return !(await isDirect(client)) && !(await receivesNotifications(client, other))
}

/** Whether no pooler is between a connection and its session: poolers give their clients other process ids than the server. */
export async function isDirect(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]?.pid === (client as unknown as { readonly processID: number }).processID
}

/**
 * Whether a connection receives what another one sends.
 *
 * @param other - is connected, and closed.
 */
export async function receivesNotifications(client: pg.Client, other: pg.Client): Promise<boolean> {
  const channel = `headwater_probe_${randomBytes(8).toString('hex')}`
  const received = new AbortController()
  const onNotification = (message: pg.Notification) => {
    if (message.channel === channel) {
      received.abort()
    }
  }
  client.on('notification', onNotification)
  try {
    await client.query(`listen ${channel}`)
    // From another connection, as a session receives its own notifications within the statement.
    other.on('error', () => {})
    try {
      await other.connect()
      await other.query(`notify ${channel}`)
    } finally {
      await endClient(other)
    }
    await delay(notificationTimeoutMs, undefined, { signal: received.signal }).catch(() => {})
    return received.signal.aborted
  } finally {
    client.off('notification', onNotification)
    await client.query(`unlisten ${channel}`).catch(() => {})
  }
}
