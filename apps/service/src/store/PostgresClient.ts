import { Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Copy, parseCopy } from './copyInto.ts'
import { isDirect } from './isTransactionPooled.ts'
import { getPreparedName } from './prepared.ts'

/** A server that accepts no connection and executes no statement for this long is unavailable. */
const probeTimeoutMs = 10_000

interface Settings {
  readonly statementTimeoutMs: number
  /** After so long without a response, the client verifies that the server still has its session. */
  readonly silenceMs: number
}

/**
 * A PostgreSQL client that also executes the statements of `copyInto`, and prepares those of `prepared`. A host that fails without
 * closing its connections leaves them open for some 15 minutes, also if its address leads to another one: such a connection is
 * closed, and its statement fails.
 */
export class PostgresClient extends pg.Client {
  readonly #config: pg.ClientConfig
  #isDirect = false

  constructor(config: pg.ClientConfig = {}) {
    super(config)
    this.#config = config
  }

  /** Applies the settings of a new connection. */
  async configure({ statementTimeoutMs, silenceMs }: Settings): Promise<void> {
    // As a statement, because poolers such as PgBouncer reject it as a connection parameter.
    await super.query(`set statement_timeout = ${statementTimeoutMs}`)
    this.#isDirect = await isDirect(this)
    if (this.#isDirect) {
      await this.#detectSilence(silenceMs)
    }
  }

  // Keeps all overloads of `pg`: only statements of `copyInto` and `prepared` are handled differently.
  override query(...args: unknown[]): never {
    const [statement, parameters] = args
    const copy = parseCopy(statement, parameters)
    if (copy) {
      return this.#copy(copy) as never
    }
    const name = this.#isDirect ? getPreparedName(statement) : undefined
    if (name !== undefined) {
      const [text, values] = [statement as string, parameters as unknown[]]
      return super.query({ name, text, values }) as never
    }
    return super.query(...(args as Parameters<pg.Client['query']>)) as never
  }

  /** Closes the connection once the server does not have its session any more. A long statement is silent as well. */
  async #detectSilence(silenceMs: number): Promise<void> {
    const { rows } = await super.query<Session>(
      'select pid, backend_start::text from pg_stat_activity where pid = pg_backend_pid()',
    )
    const [session] = rows
    const { stream } = (this as unknown as { readonly connection: pg.Connection }).connection
    if (!session || !(stream instanceof Socket)) {
      return
    }
    const verify = async () => {
      if (await hasSession(this.#config, session)) {
        stream.setTimeout(silenceMs)
      } else {
        stream.destroy(
          Object.assign(new Error('The database does not respond'), { code: 'ETIMEDOUT' }),
        )
      }
    }
    stream.setTimeout(silenceMs).on('timeout', () => void verify())
  }

  async #copy({ target, rows }: Copy): Promise<object> {
    const stream = super.query(copyFrom(`${target} from stdin`))
    stream.end(rows)
    await finished(stream)
    return { command: 'COPY', rowCount: stream.rowCount, rows: [] }
  }
}

/** A session of a server, which no other server has. */
interface Session {
  readonly pid: number
  readonly backend_start: string
}

/** Whether the server that connections now lead to has a session. */
async function hasSession(
  config: pg.ClientConfig,
  { pid, backend_start }: Session,
): Promise<boolean> {
  const probe = new pg.Client({
    ...config,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  })
  probe.on('error', () => {})
  try {
    await probe.connect()
    const { rowCount } = await probe.query(
      'select from pg_stat_activity where pid = $1 and backend_start = $2::timestamptz',
      [pid, backend_start],
    )
    return rowCount === 1
  } catch (error) {
    // A server that rejects the connection responds, as one with too many of them does.
    return error instanceof pg.DatabaseError
  } finally {
    probe.end().catch(() => {})
  }
}
