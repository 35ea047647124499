import { Kysely, PostgresDialect, type PostgresPool } from 'kysely'
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
  const db = createKysely(writePool)
  const shared = {
    db,
    hasReplica: replicaUrl !== undefined,
    kind: 'postgres' as const,
    // A lost connection is replaced.
    failed: new AbortController().signal,
    lockChain: (chainId: number, options: Parameters<Store['lockChain']>[1]) =>
      lockChain(databaseUrl, chainId, options),
  }
  if (replicaUrl === undefined) {
    const reader = createKysely(readPool)
    return {
      ...shared,
      reader,
      watchChains: (onChange) =>
        listenForChanges({ databaseUrl, listenUrl, onPooled }, onChange, pollMs),
      async close() {
        await reader.destroy()
        await db.destroy()
        await endPool(readPool)
      },
    }
  }
  const replica = createPostgresPool(replicaUrl, {
    connections: readConnections,
    connectionTimeoutMs: replicaTimeoutMs,
  })
  const monitor = new ReplicaMonitor({
    primary: readPool,
    replica: createPostgresPool(replicaUrl, {
      connections: 1,
      connectionTimeoutMs: replicaTimeoutMs,
      queryTimeoutMs: replicaTimeoutMs,
    }),
    onUnavailable: onReplicaUnavailable,
    onUnresponsive: () => pool.terminateConnections(),
  })
  const pool: FallbackPool = new FallbackPool(replica, readPool, onReplicaUnavailable, monitor)
  const reader = createKysely(pool)
  return {
    ...shared,
    reader,
    // Polls, because the primary notifies of changes before they reach the replica.
    watchChains(onChange) {
      const timer = setInterval(onChange, pollMs)
      return async () => clearInterval(timer)
    },
    async close() {
      await monitor.close()
      await reader.destroy()
      await db.destroy()
      await endPool(readPool)
    },
  }
}

/** The log, if any, makes spans of queries. */
function createKysely(pool: PostgresPool): Kysely<Database> {
  return new Kysely({
    dialect: new PostgresDialect({ pool }),
    ...(isTracing && { log: traceQuery }),
  })
}

/** Kysely ends only the pools that it has used. */
async function endPool(pool: ReturnType<typeof createPostgresPool>): Promise<void> {
  if (!pool.ending) {
    await pool.end()
  }
}
