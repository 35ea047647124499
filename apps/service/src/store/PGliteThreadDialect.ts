import {
  AbortedTransactionError,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PGliteAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
  type TransactionSettings,
} from 'kysely'
import { parseCopy } from './copyInto.ts'
import type { PGliteClient } from './PGliteClient.ts'

/**
 * Connects Kysely to the embedded database in its worker thread. The database has one session, and Kysely serializes its
 * users: a transaction holds it to its end, while other queries wait.
 */
export class PGliteThreadDialect implements Dialect {
  readonly #client: PGliteClient

  constructor(client: PGliteClient) {
    this.#client = client
  }

  createDriver(): Driver {
    return new PGliteThreadDriver(this.#client)
  }

  createAdapter(): PGliteAdapter {
    return new PGliteAdapter()
  }

  createQueryCompiler(): PostgresQueryCompiler {
    return new PostgresQueryCompiler()
  }

  createIntrospector(db: ConstructorParameters<typeof PostgresIntrospector>[0]) {
    return new PostgresIntrospector(db)
  }
}

class PGliteThreadDriver implements Driver {
  readonly #client: PGliteClient
  readonly #connection: PGliteThreadConnection
  /** Whether the transaction only reads. */
  #isReadOnly = false

  constructor(client: PGliteClient) {
    this.#client = client
    this.#connection = new PGliteThreadConnection(client)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  /** The transaction starts with its first statement: each message waits until the requests before it were served. */
  beginTransaction(
    _: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    this.#connection.hasFailed = false
    this.#isReadOnly = accessMode === 'read only'
    this.#connection.start = `start transaction${level}${accessMode ? ` ${accessMode}` : ''}`
    return Promise.resolve()
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    // `commit` silently rolls back a transaction that an error aborted; any other statement fails.
    if (this.#connection.hasFailed) {
      try {
        await connection.executeQuery(CompiledQuery.raw('select 1'))
      } catch (error) {
        await this.rollbackTransaction(connection)
        throw new AbortedTransactionError({ cause: error })
      }
    }
    if (this.#isReadOnly) {
      return await this.#end(connection)
    }
    if (this.#connection.start === undefined) {
      await connection.executeQuery(CompiledQuery.raw('commit'))
    }
    this.#connection.start = undefined
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#end(connection)
  }

  async #end(connection: DatabaseConnection): Promise<void> {
    const isStarted = this.#connection.start === undefined
    this.#connection.start = undefined
    if (!isStarted) {
      return
    }
    const ending = connection.executeQuery(CompiledQuery.raw('rollback'))
    if (this.#isReadOnly) {
      // What was read is known, and the next statement is run after the end.
      ending.catch(() => {})
    } else {
      await ending
    }
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    await this.#client.close()
  }
}

class PGliteThreadConnection implements DatabaseConnection {
  readonly #client: PGliteClient
  /** Whether a statement failed since the transaction began. */
  hasFailed = false
  /** What starts the transaction, before its first statement. */
  start: string | undefined

  constructor(client: PGliteClient) {
    this.#client = client
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const copy = parseCopy(sql, parameters)
    const { start } = this
    this.start = undefined
    try {
      const { rows, affectedRows } = copy
        ? await this.#client.copy(copy, start)
        : await this.#client.query(sql, parameters, start)
      return {
        rows: rows as Row[],
        ...(affectedRows !== undefined && { numAffectedRows: BigInt(affectedRows) }),
      }
    } catch (error) {
      this.hasFailed = true
      throw error
    }
  }

  // eslint-disable-next-line require-yield -- it always throws
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('The embedded database does not support streaming')
  }
}
