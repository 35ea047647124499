import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { ChainLock } from './ChainLock.ts'

const connectionTimeoutMs = 5_000
/** How often a standby tries. */
const retryMs = 1_000
/** How often the holder sees whether it still is. */
const heartbeatMs = 2_000
/** Without an answer for so long, the holder takes its lock for lost. */
const patienceMs = 8_000

/**
 * By these the server notices within half a minute that the holder's host has vanished, and frees the lock. (A process
 * that dies closes its connection, which frees it at once.) The holder itself has stopped by then, by its own patience.
 */
const settings = [
  'tcp_keepalives_idle = 10',
  'tcp_keepalives_interval = 5',
  'tcp_keepalives_count = 3',
  'tcp_user_timeout = 20000',
]

/** The lock's number, of which there is one for each chain in a database. */
const lockNumber = `hashtextextended('headwater chain ' || $1::text, 0)`
const take = `select pg_try_advisory_lock(${lockNumber}) as held`
/** Looks for the lock itself: a pooler may have given us another session. */
const look = `select exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and granted
  and (classid::bigint << 32) | objid::bigint = ${lockNumber}) as held`

/**
 * Waits for the right to index a chain, which is an advisory lock of a session of its own. It goes with the connection,
 * and so with the process, even by `kill -9`. Poolers must give a session of its own too, and not one a transaction.
 *
 * @param onWaiting - called once when another process holds it.
 * @returns undefined when the signal aborts before.
 */
export async function lockChain(
  databaseUrl: string,
  chainId: number,
  { signal, onWaiting }: { signal: AbortSignal; onWaiting?: (reason: unknown) => void },
): Promise<ChainLock | undefined> {
  let told = false
  while (!signal.aborted) {
    let reason: unknown
    try {
      const lock = await tryLock(databaseUrl, chainId)
      if (lock) {
        return lock
      }
    } catch (error) {
      reason = error
    }
    if (!told) {
      onWaiting?.(reason)
    }
    told = true
    await delay(retryMs, undefined, { signal }).catch(() => {})
  }
  return undefined
}

async function tryLock(databaseUrl: string, chainId: number): Promise<ChainLock | undefined> {
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: connectionTimeoutMs,
    query_timeout: patienceMs,
    keepAlive: true,
    application_name: `headwater index ${chainId}`,
  })
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  const isHeld = async (statement: string) => {
    const { rows } = await client.query<{ held: boolean }>(statement, [chainId])
    return rows[0]?.held === true
  }
  try {
    await client.connect()
    // A server whose system knows one of them not refuses it, and goes by its own.
    for (const setting of settings) {
      await client.query(`set ${setting}`).catch(() => {})
    }
    if (!(await isHeld(take))) {
      await client.end()
      return undefined
    }
  } catch (error) {
    client.end().catch(() => {})
    throw error
  }
  void watch(() => isHeld(look), lost)
  return {
    lost: lost.signal,
    async release() {
      lost.abort()
      await client.end().catch(() => {})
    },
  }
}

async function watch(isHeld: () => Promise<boolean>, lost: AbortController): Promise<void> {
  while (!lost.signal.aborted) {
    await delay(heartbeatMs, undefined, { signal: lost.signal, ref: false }).catch(() => {})
    if (lost.signal.aborted) {
      return
    }
    if (!(await isHeld().catch(() => false))) {
      lost.abort()
    }
  }
}
