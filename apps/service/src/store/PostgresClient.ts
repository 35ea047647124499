import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Copy, parseCopy } from './copyInto.ts'
import { isDirect } from './isTransactionPooled.ts'
import { getPreparedName } from './prepared.ts'

/** A PostgreSQL client that also executes the statements of `copyInto`, and prepares those of `prepared`. */
export class PostgresClient extends pg.Client {
  #isDirect = false

  /** Applies the settings of a new connection. */
  async configure(statementTimeoutMs: number): Promise<void> {
    // As a statement, because poolers such as PgBouncer reject it as a connection parameter.
    await super.query(`set statement_timeout = ${statementTimeoutMs}`)
    this.#isDirect = await isDirect(this)
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

  async #copy({ target, rows }: Copy): Promise<object> {
    const stream = super.query(copyFrom(`${target} from stdin`))
    stream.end(rows)
    await finished(stream)
    return { command: 'COPY', rowCount: stream.rowCount, rows: [] }
  }
}
