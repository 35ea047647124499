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

  constructor(client: PGliteClient) {
    this.#client = client
    this.#connection = new PGliteThreadConnection(client)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async beginTransaction(
    connection: DatabaseConnection,
    { isolationLevel, accessMode }: TransactionSettings,
  ): Promise<void> {
    const level = isolationLevel ? ` isolation level ${isolationLevel}` : ''
    this.#connection.hasFailed = false
    await connection.executeQuery(
      CompiledQuery.raw(`start transaction${level}${accessMode ? ` ${accessMode}` : ''}`),
    )
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
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('rollback'))
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

  constructor(client: PGliteClient) {
    this.#client = client
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    const copy = parseCopy(sql, parameters)
    try {
      const { rows, affectedRows } = copy
        ? await this.#client.copy(copy)
        : await this.#client.query(sql, parameters)
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
