import { mkdirSync, rmSync } from 'node:fs'
import type { DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { FactsError } from './FactsError.ts'
import { quoteFile } from './factTables.ts'

/** A value of a column; `BIGINT` as bigint. */
export type DuckDbValue = string | number | bigint | boolean | null

/** Limits of DuckDB, which spills to its folder beyond its memory. */
export interface DuckDbOptions {
  /** Where it spills to, created when missing and deleted at the end. */
  readonly folder: string
  /** Such as `1GB`. */
  readonly memoryLimit: string
  /** Default: one per core. */
  readonly threads?: number
}

/** An empty DuckDB database with one connection, without access to the network. */
export class DuckDb {
  readonly #instance: DuckDBInstance
  readonly #connection: DuckDBConnection
  /** For files that are deleted at the end. */
  readonly folder: string

  private constructor(instance: DuckDBInstance, connection: DuckDBConnection, folder: string) {
    this.#instance = instance
    this.#connection = connection
    this.folder = folder
  }

  /** @throws {FactsError} when the optional package `@duckdb/node-api` is not installed. */
  static async open({ folder, memoryLimit, threads }: DuckDbOptions): Promise<DuckDb> {
    const { DuckDBInstance } = await load()
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const instance = await DuckDBInstance.create(':memory:', {
      memory_limit: memoryLimit,
      temp_directory: folder,
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      ...(threads !== undefined && { threads: String(threads) }),
    })
    return new DuckDb(instance, await instance.connect(), folder)
  }

  /** Runs a statement; an aborted signal interrupts it. */
  async run(statement: string, signal?: AbortSignal): Promise<void> {
    await this.#interruptible(signal, () => this.#connection.run(statement))
  }

  /** Runs a query whose result fits in memory. */
  async query<Row>(statement: string, signal?: AbortSignal): Promise<Row[]> {
    const reader = await this.#interruptible(signal, () =>
      this.#connection.runAndReadAll(statement),
    )
    return reader.getRowObjectsJS() as Row[]
  }

  /** The number of rows of a table. */
  async countRows(table: string): Promise<number> {
    const [counted] = await this.query<{ rows: bigint }>(`select count(*) as rows from ${table}`)
    return Number(counted?.rows ?? 0)
  }

  /** The types of the columns of a table function, such as `read_parquet(…)`, by name. */
  async getColumnTypes(source: string, signal: AbortSignal): Promise<Map<string, string>> {
    const columns = await this.query<{ column_name: string; column_type: string }>(
      `describe select * from ${source}`,
      signal,
    )
    return new Map(columns.map(({ column_name: name, column_type: type }) => [name, type]))
  }

  /** Runs a query and yields its columns by some 2,000 rows. */
  async *stream(
    statement: string,
    signal?: AbortSignal,
  ): AsyncGenerator<readonly (readonly DuckDbValue[])[], void, undefined> {
    const result = await this.#interruptible(signal, () => this.#connection.stream(statement))
    for (;;) {
      signal?.throwIfAborted()
      const chunk = await result.fetchChunk()
      if (!chunk || chunk.rowCount === 0) {
        return
      }
      yield chunk.getColumns() as DuckDbValue[][]
    }
  }

  /** The share of the running statement that is done, from 0 to 1; undefined while it is unknown. */
  get progress(): number | undefined {
    const { percentage } = this.#connection.progress
    return percentage < 0 ? undefined : percentage / 100
  }

  /**
   * Calls a function with a further connection, whose statements run beside those of others. It has the tables and views of
   * the database.
   */
  async withConnection<Result>(run: (duckDb: DuckDb) => Promise<Result>): Promise<Result> {
    const connection = await this.#instance.connect()
    try {
      return await run(new DuckDb(this.#instance, connection, this.folder))
    } finally {
      connection.closeSync()
    }
  }

  /** Deletes the database. */
  close(): void {
    this.#connection.closeSync()
    this.#instance.closeSync()
    rmSync(this.folder, { recursive: true, force: true })
  }

  async #interruptible<Result>(
    signal: AbortSignal | undefined,
    run: () => Promise<Result>,
  ): Promise<Result> {
    signal?.throwIfAborted()
    const interrupt = () => this.#connection.interrupt()
    signal?.addEventListener('abort', interrupt, { once: true })
    try {
      return await run()
    } catch (error) {
      signal?.throwIfAborted()
      throw error
    } finally {
      signal?.removeEventListener('abort', interrupt)
    }
  }
}

/**
 * The rows of files as a table function, with the columns of the first one, or of all of them. DuckDB does not add columns
 * of folders with names such as `amount=7`.
 */
export function readParquet(
  files: readonly string[],
  { unionByName = false }: { readonly unionByName?: boolean } = {},
): string {
  const options = `union_by_name = ${unionByName}, hive_partitioning = false`
  return `read_parquet([${files.map(quoteFile).join(', ')}], ${options})`
}

/** Loads the package, which other processes do not need. */
async function load() {
  try {
    return await import('@duckdb/node-api')
  } catch (error) {
    throw new FactsError(
      'Facts and imports require the optional package @duckdb/node-api, which is not installed or does not support this platform: install it with npm install @duckdb/node-api, or remove facts from the configuration',
      { cause: error },
    )
  }
}
