import { Kysely, PostgresDialect } from 'kysely'
import type { Database } from './Database.ts'
import { FallbackPool } from './FallbackPool.ts'
import { createPostgresPool } from './createPostgresPool.ts'
import { lockChain } from './lockChain.ts'
import type { Store } from './Store.ts'
import { watchByListening } from './watchByListening.ts'
import { watchByPolling } from './watchByPolling.ts'

/** How often chains are looked at where nobody tells of changes: of a replica, and while the connection is away. */
const pollMs = 250
/** A replica that does not answer must not hold up requests that the primary could answer. */
const replicaTimeoutMs = 3_000

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
  const primary = createPostgresPool(databaseUrl)
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool: primary }) })
  if (replicaUrl === undefined)
    return {
      db,
      reader: db,
      kind: 'postgres',
      lockChain: (chainId, options) => lockChain(databaseUrl, chainId, options),
      watchChains: (onChange) => watchByListening(databaseUrl, onChange, pollMs),
      close: () => db.destroy(),
    }
  const replica = createPostgresPool(replicaUrl, replicaTimeoutMs)
  const reader = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: new FallbackPool(replica, primary, onReplicaAway) }),
  })
  return {
    db,
    reader,
    kind: 'postgres',
    lockChain: (chainId, options) => lockChain(databaseUrl, chainId, options),
    // What the primary tells has not reached the replica yet.
    watchChains: (onChange) => watchByPolling(onChange, pollMs),
    async close() {
      await reader.destroy()
      await db.destroy()
    },
  }
}
