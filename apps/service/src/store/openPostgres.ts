import { Kysely, PostgresDialect } from 'kysely'
import { createPostgresPool } from './createPostgresPool.ts'
import type { Database } from './Database.ts'
import { FallbackPool } from './FallbackPool.ts'
import { lockChain } from './lockChain.ts'
import { ReplicaWatch } from './ReplicaWatch.ts'
import type { Store } from './Store.ts'
import { watchByListening } from './watchByListening.ts'
import { watchByPolling } from './watchByPolling.ts'

/** How often chains are looked at where nobody tells of changes: of a replica, and while the connection is away. */
const pollMs = 250
/** A replica that does not answer must not hold up requests that the primary could answer. */
const replicaTimeoutMs = 3_000
/** As many answers as are worked on at once, and some for watching, readiness and figures. */
const readingConnections = 36
/** Of indexing, metadata, audit and keys; they do not queue behind answers, nor answers behind them. */
const writingConnections = 12

interface ReplicaOptions {
  readonly replicaUrl?: string | undefined
  /** Called with the fault, each time the replica is found to be away. */
  readonly onReplicaAway?: (error: unknown) => void
}

/** Opens a PostgreSQL server by its URL, and perhaps a replica. Connections are made when they are needed. */
export function openPostgres(
  databaseUrl: string,
  { replicaUrl, onReplicaAway = () => {} }: ReplicaOptions = {},
): Store {
  const writing = createPostgresPool(databaseUrl, { connections: writingConnections })
  const reading = createPostgresPool(databaseUrl, { connections: readingConnections })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: writing }) })
  const shared = {
    db,
    hasReplica: replicaUrl !== undefined,
    kind: 'postgres' as const,
    lockChain: (chainId: number, options: Parameters<Store['lockChain']>[1]) =>
      lockChain(databaseUrl, chainId, options),
  }
  if (replicaUrl === undefined) {
    const reader = new Kysely<Database>({ dialect: new PostgresDialect({ pool: reading }) })
    return {
      ...shared,
      reader,
      watchChains: (onChange) => watchByListening(databaseUrl, onChange, pollMs),
      async close() {
        await reader.destroy()
        await db.destroy()
        await end(reading)
      },
    }
  }
  const replica = createPostgresPool(replicaUrl, {
    connections: readingConnections,
    connectionTimeoutMs: replicaTimeoutMs,
  })
  const watch = new ReplicaWatch({
    primary: reading,
    replica: createPostgresPool(replicaUrl, {
      ...{ connections: 1, connectionTimeoutMs: replicaTimeoutMs },
      queryTimeoutMs: replicaTimeoutMs,
    }),
    onAway: onReplicaAway,
    onSilence: () => pool.breakConnections(),
  })
  const pool: FallbackPool = new FallbackPool(replica, reading, onReplicaAway, watch)
  const reader = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  return {
    ...shared,
    reader,
    // What the primary tells has not reached the replica yet.
    watchChains: (onChange) => watchByPolling(onChange, pollMs),
    async close() {
      await watch.close()
      await reader.destroy()
      await db.destroy()
      await end(reading)
    },
  }
}

/** Kysely ends only the pools that it has used. */
async function end(pool: ReturnType<typeof createPostgresPool>): Promise<void> {
  if (!pool.ending) {
    await pool.end()
  }
}
