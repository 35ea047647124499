import pg from 'pg'
import { CopyingClient } from './CopyingClient.ts'
import { parseSafeInteger } from './parseSafeInteger.ts'

const keepAliveMs = 10_000
/** Far more than the longest statement of an index batch takes; whoever waits longer waits for nothing. */
const statementTimeoutMs = 60_000

interface PoolSize {
  /** The most there are at a time. */
  readonly connections: number
  /** How long anyone waits for one: to be made, or to be given back by others. */
  readonly connectionTimeoutMs?: number
  /** How long an answer is waited for, also where the server cannot tell any more that it takes too long. */
  readonly queryTimeoutMs?: number
}

/** Makes a pool of connections to a PostgreSQL server. They are made when they are needed, and replaced when they break. */
export function createPostgresPool(
  databaseUrl: string,
  { connections, connectionTimeoutMs = 5_000, queryTimeoutMs }: PoolSize,
): pg.Pool {
  const pool = new pg.Pool({
    Client: CopyingClient,
    connectionString: databaseUrl,
    max: connections,
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
    connectionTimeoutMillis: connectionTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // By a statement, since poolers such as PgBouncer refuse it among the parameters of a connection.
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool waits for it, whatever its type says
    onConnect: (client) => client.query(`set statement_timeout = ${statementTimeoutMs}`),
    types: {
      getTypeParser: (oid, format) =>
        oid === pg.types.builtins.INT8 && format !== 'binary'
          ? parseSafeInteger
          : pg.types.getTypeParser(oid, format),
    },
  })
  // An idle connection that breaks is replaced at the next query, which tells its own fault; unheard, it would end us.
  pool.on('error', () => {})
  // The pool hears idle connections only: one that breaks within a transaction would end us too.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}
