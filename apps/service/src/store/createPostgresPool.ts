import pg from 'pg'
import { parseSafeInteger } from './parseSafeInteger.ts'
import { PostgresClient } from './PostgresClient.ts'

const keepAliveMs = 10_000
/** Far more than the longest statement of an index batch takes. */
const statementTimeoutMs = 60_000

interface PoolOptions {
  /** The most open connections. */
  readonly connections: number
  /** How long `connect` waits for a new or an idle connection. */
  readonly connectionTimeoutMs?: number
  /** How long the client waits for a response, also when the server is unreachable and its statement timeout has no effect. */
  readonly queryTimeoutMs?: number
  /** A statement without a response for this long is verified to be still executed. For URLs that lead to one server. */
  readonly silenceMs?: number
}

/** Creates a pool of connections to a PostgreSQL server. They are opened on demand and replaced after a failure. */
export function createPostgresPool(
  databaseUrl: string,
  { connections, connectionTimeoutMs = 5_000, queryTimeoutMs, silenceMs }: PoolOptions,
): pg.Pool {
  const pool = new pg.Pool({
    Client: PostgresClient,
    connectionString: databaseUrl,
    max: connections,
    ...(queryTimeoutMs !== undefined && { query_timeout: queryTimeoutMs }),
    connectionTimeoutMillis: connectionTimeoutMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveMs,
    // eslint-disable-next-line @typescript-eslint/no-misused-promises -- the pool awaits it, unlike its type
    onConnect: (client) => (client as PostgresClient).configure({ statementTimeoutMs, silenceMs }),
    types: {
      getTypeParser: (oid, format) =>
        oid === pg.types.builtins.INT8 && format !== 'binary'
          ? parseSafeInteger
          : pg.types.getTypeParser(oid, format),
    },
  })
  // A failed idle connection is replaced at the next query. Without a listener, the error would end the process.
  pool.on('error', () => {})
  // The pool listens to idle connections only; this covers those in use.
  pool.on('connect', (client) => client.on('error', () => {}))
  // Before the pool decides whether it keeps the connection.
  pool.on('release', (_error, released) => {
    const client = released as unknown as PostgresClient
    if (client.isReadOnly) {
      void client.end()
    }
  })
  return pool
}
