import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { endClient } from './endClient.ts'
import { isTransactionPooled, withoutLocks } from './isTransactionPooled.ts'
import type { ChainLock } from './Store.ts'
import { StoreError } from './StoreError.ts'

const connectionTimeoutMs = 5_000
/** How often a standby process tries to acquire the lock. */
const retryMs = 1_000
/** How often the holder verifies that its session still holds the lock. */
const heartbeatMs = 2_000
/** Without a response for this long, the holder assumes that the lock is lost. */
const queryTimeoutMs = 8_000

/**
 * With these the server detects within half a minute that the host of the holder is unreachable, and releases the lock.
 * (A process that ends closes its connection, which releases it at once.) By then the holder has stopped, because its
 * queries time out earlier.
 */
const settings = [
  'tcp_keepalives_idle = 10',
  'tcp_keepalives_interval = 5',
  'tcp_keepalives_count = 3',
  'tcp_user_timeout = 20000',
]

/** The key of the advisory lock of a chain. */
const lockKey = `hashtextextended('headwater chain ' || $1::text, 0)`
/** A standby has locks of its own, which remain when it is promoted. */
const acquireQuery = `select not pg_is_in_recovery() and pg_try_advisory_lock(${lockKey}) as held`
/** Reads the lock itself, because a connection pooler may have switched the session. */
const verifyQuery = `select exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() and granted
  and (classid::bigint << 32) | objid::bigint = ${lockKey}) as held`

/**
 * Acquires the advisory lock of a chain, in its own session: it is released with the connection, and so with the process,
 * even by `kill -9`.
 *
 * @param onWaiting - called when another process holds the lock, and with the error when the database is unavailable, each time
 *   that this changes.
 * @returns undefined when the signal aborts before.
 * @throws {StoreError} when a pooler in transaction mode would not keep the lock.
 */
export async function lockChain(
  databaseUrl: string,
  chainId: number,
  { signal, onWaiting }: { signal: AbortSignal; onWaiting?: (error: unknown) => void },
): Promise<ChainLock | undefined> {
  let waitingFor: 'database' | 'process' | undefined
  while (!signal.aborted) {
    let failure: unknown
    try {
      const lock = await tryLock(databaseUrl, chainId)
      if (lock) {
        return lock
      }
    } catch (error) {
      if (error instanceof StoreError) {
        throw error
      }
      failure = error
    }
    const next = failure === undefined ? 'process' : 'database'
    if (next !== waitingFor) {
      onWaiting?.(failure)
    }
    waitingFor = next
    await delay(retryMs, undefined, { signal }).catch(() => {})
  }
  return undefined
}

async function tryLock(databaseUrl: string, chainId: number): Promise<ChainLock | undefined> {
  const createClient = () =>
    new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: connectionTimeoutMs,
      query_timeout: queryTimeoutMs,
      keepAlive: true,
      application_name: `headwater index ${chainId}`,
    })
  const client = createClient()
  const lost = new AbortController()
  client.on('error', () => lost.abort())
  client.on('end', () => lost.abort())
  const isHeld = async (query: string) => {
    const { rows } = await client.query<{ held: boolean }>(query, [chainId])
    return rows[0]?.held === true
  }
  try {
    await client.connect()
    if (await isTransactionPooled(client, createClient())) {
      throw new StoreError(`databaseUrl ${withoutLocks}`)
    }
    // Some platforms do not support all of them and use their defaults.
    for (const setting of settings) {
      await client.query(`set ${setting}`).catch(() => {})
    }
    if (!(await isHeld(acquireQuery))) {
      await endClient(client)
      return undefined
    }
  } catch (error) {
    client.end().catch(() => {})
    throw error
  }
  void monitor(() => isHeld(verifyQuery), lost)
  return {
    lost: lost.signal,
    async release() {
      lost.abort()
      await endClient(client)
    },
  }
}

/** Aborts `lost` when the lock is no longer held. */
async function monitor(isHeld: () => Promise<boolean>, lost: AbortController): Promise<void> {
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
