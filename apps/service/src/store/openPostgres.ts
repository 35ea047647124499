import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
import type pg from 'pg'
import { isTracing, traceQuery } from '../tracing.ts'
import { createPostgresPool } from './createPostgresPool.ts'
import type { Database } from './Database.ts'
import { FallbackPool } from './FallbackPool.ts'
import { listenForChanges } from './listenForChanges.ts'
import { lockChain } from './lockChain.ts'
import { ReplicaMonitor } from './ReplicaMonitor.ts'
import type { Store } from './Store.ts'

/** The interval of polls for changes of the chains, on a replica or without a connection for notifications. */
const pollMs = 250
/** Short, so that an unresponsive replica does not delay requests that the primary can serve. */
const replicaTimeoutMs = 3_000
/** One for each concurrent request, and some for change detection, readiness and metrics. */
const readConnections = 36
/** For indexing, metadata, audit and keys, so that these and API requests do not wait for each other's connections. */
const writeConnections = 12
/** Longer than nearly all statements take. States of chains that were read longer ago than 10 s count as unknown. */
const silenceMs = 8_000

interface PostgresOptions {
  readonly replicaUrl?: string | undefined
  /** Called each time the replica becomes unavailable. */
  readonly onReplicaUnavailable?: (error: unknown) => void
  /** A direct connection for notifications, where the database is reached through a pooler. */
  readonly listenUrl?: string | undefined
  /** Called when a pooler delivers no notifications. */
  readonly onPooled?: () => void
}

/** Opens a PostgreSQL server, with an optional replica for reads. Connections are created on demand. */
export function openPostgres(
  databaseUrl: string,
  { replicaUrl, onReplicaUnavailable = () => {}, listenUrl, onPooled }: PostgresOptions = {},
): Store {
  const writePool = createPostgresPool(databaseUrl, { connections: writeConnections, silenceMs })
  const readPool = createPostgresPool(databaseUrl, { connections: readConnections, silenceMs })
  const replica =
    replicaUrl === undefined ? undefined : openReplica(replicaUrl, readPool, onReplicaUnavailable)
  const db = createKysely(writePool)
  const reader = createKysely(replica?.pool ?? readPool)
  return {
    db,
    reader,
    replica: replica?.monitor,
    kind: 'postgres',
    // A lost connection is replaced.
    failed: new AbortController().signal,
    lockChain: (chainId, options) => lockChain(databaseUrl, chainId, options),
    watchChains: (onChange) =>
      replica
        ? poll(onChange)
        : listenForChanges({ databaseUrl, listenUrl, onPooled }, onChange, pollMs),
    async close() {
      await replica?.monitor.close()
      await reader.destroy()
      await db.destroy()
      await endPool(readPool)
    },
  }
}

/** Opens a pool of connections to a replica, which falls back to the primary. */
function openReplica(
  replicaUrl: string,
  primary: pg.Pool,
  onUnavailable: (error: unknown) => void,
): { readonly pool: FallbackPool; readonly monitor: ReplicaMonitor } {
  const replica = createPostgresPool(replicaUrl, {
    connections: readConnections,
    connectionTimeoutMs: replicaTimeoutMs,
  })
  const monitor = new ReplicaMonitor({
    primary,
    replica: createPostgresPool(replicaUrl, {
      connections: 1,
      connectionTimeoutMs: replicaTimeoutMs,
      queryTimeoutMs: replicaTimeoutMs,
    }),
    onUnavailable,
    onUnresponsive: () => pool.terminateConnections(),
  })
  const pool: FallbackPool = new FallbackPool(replica, primary, onUnavailable, monitor)
  return { pool, monitor }
}

/** Polls for changes of the chains: the primary notifies of them before they reach a replica. */
function poll(onChange: () => void): () => Promise<void> {
  const timer = setInterval(onChange, pollMs)
  return async () => clearInterval(timer)
}

/** The log, if any, makes spans of queries. */
function createKysely(pool: PostgresPool): Kysely<Database> {
  return new Kysely({
    dialect: new PostgresDialect({ pool }),
    ...(isTracing && { log: traceQuery }),
  })
}

/** Kysely ends only the pools that it has used. */
async function endPool(pool: pg.Pool): Promise<void> {
  if (!pool.ending) {
    await pool.end()
  }
}
