import { Socket } from 'node:net'
import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Copy, parseCopy } from './copyInto.ts'
import { isDirect } from './isTransactionPooled.ts'
import { getPreparedName } from './prepared.ts'
import { createTimeoutError } from './queryInTime.ts'

/** How long a server may take to accept a connection, and to execute the query of a probe. */
const probeTimeoutMs = 3_000
/** A connection is closed after this many probes in a row that reached no server. */
const maxFailedProbes = 2
/** The SQLSTATE of a write in a read-only transaction. */
const readOnlyCode = '25006'

interface Settings {
  readonly statementTimeoutMs: number
  /** A statement without a response for this long is verified to be still executed; undefined to wait for it. */
  readonly silenceMs: number | undefined
}

/**
 * A PostgreSQL client that also executes the statements of `copyInto`, and prepares those of `prepared`. A host that fails without
 * closing its connections leaves them open for some 15 minutes, also if its address leads to another one: such a connection is
 * closed, and its statement fails.
 */
export class PostgresClient extends pg.Client {
  readonly #config: pg.ClientConfig
  #isDirect = false
  #isReadOnly = false
  /** Statements without a result. */
  #pending = 0

  constructor(config: pg.ClientConfig = {}) {
    super(config)
    this.#config = config
  }

  /**
   * Whether a write was rejected as one to a standby, or to a database that is read-only. A session remains so, also where new ones
   * are not.
   */
  get isReadOnly(): boolean {
    return this.#isReadOnly
  }

  /** Applies the settings of a new connection. */
  async configure({ statementTimeoutMs, silenceMs }: Settings): Promise<void> {
    // As a statement, because poolers such as PgBouncer reject it as a connection parameter.
    await super.query(`set statement_timeout = ${statementTimeoutMs}`)
    this.#isDirect = await isDirect(this)
    if (this.#isDirect && silenceMs !== undefined) {
      await this.#detectSilence(silenceMs)
    }
  }

  // Keeps all overloads of `pg`: only statements of `copyInto` and `prepared` are handled differently.
  override query(...args: unknown[]): never {
    const [statement, parameters] = args
    const copy = parseCopy(statement, parameters)
    if (copy) {
      return this.#track(this.#copy(copy)) as never
    }
    const name = this.#isDirect ? getPreparedName(statement) : undefined
    if (name !== undefined) {
      const text = statement as string
      const values = parameters as unknown[]
      return this.#track(super.query({ name, text, values })) as never
    }
    const result: unknown = super.query(...(args as Parameters<pg.Client['query']>))
    return (result instanceof Promise ? this.#track(result) : result) as never
  }

  async #track<Result>(result: Promise<Result>): Promise<Result> {
    this.#pending++
    try {
      return await result
    } catch (error) {
      this.#isReadOnly ||= error instanceof pg.DatabaseError && error.code === readOnlyCode
      throw error
    } finally {
      this.#pending--
    }
  }

  /** Closes the connection once the server does not have its session any more. A long statement is silent as well. */
  async #detectSilence(silenceMs: number): Promise<void> {
    const { rows } = await super.query<Session>(
      `select pid, ${startOfSession} as started from pg_stat_activity where pid = pg_backend_pid()`,
    )
    const [session] = rows
    const { stream } = (this as unknown as { readonly connection: pg.Connection }).connection
    // A role that is not a member of that of the session cannot see its start.
    if (!session?.started || !(stream instanceof Socket)) {
      return
    }
    let failedProbes = 0
    const verify = async () => {
      const { bytesRead } = stream
      const found = this.#pending > 0 ? await findSession(this.#config, session) : 'present'
      const isPresent = found === 'present' || stream.bytesRead > bytesRead
      failedProbes = isPresent ? 0 : failedProbes + 1
      if (isPresent || (found === 'unknown' && failedProbes < maxFailedProbes)) {
        stream.setTimeout(silenceMs)
      } else {
        stream.destroy(createTimeoutError())
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
  /** In seconds, as text. */
  readonly started: string | null
}

/** Independent of the date style and time zone of a session. */
const startOfSession = 'extract(epoch from backend_start)::text'

/** Whether the server that connections now lead to has a session; unknown if none responds. */
async function findSession(
  config: pg.ClientConfig,
  { pid, started }: Session,
): Promise<'present' | 'missing' | 'unknown'> {
  const probe = new pg.Client({
    ...config,
    connectionTimeoutMillis: probeTimeoutMs,
    query_timeout: probeTimeoutMs,
  })
  probe.on('error', () => {})
  try {
    await probe.connect()
    const { rowCount } = await probe.query(
      `select from pg_stat_activity where pid = $1 and ${startOfSession} = $2`,
      [pid, started],
    )
    return rowCount === 1 ? 'present' : 'missing'
  } catch (error) {
    // A server that rejects the connection responds, as one with too many of them does.
    return error instanceof pg.DatabaseError ? 'present' : 'unknown'
  } finally {
    probe.end().catch(() => {})
  }
}
