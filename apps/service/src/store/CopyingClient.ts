import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { parseCopy } from './copyInto.ts'

/** A PostgreSQL client that also executes the statements of `copyInto`. */
export class CopyingClient extends pg.Client {
  // Keeps all overloads of `pg`: only statements of `copyInto` are handled differently.
  override query(...args: unknown[]): never {
    const [statement, parameters] = args
    const copy = parseCopy(statement, parameters)
    if (copy) {
      return this.#copy(`${copy.target} from stdin`, copy.rows) as never
    }
    return super.query(...(args as Parameters<pg.Client['query']>)) as never
  }

  async #copy(statement: string, rows: string): Promise<object> {
    const stream = super.query(copyFrom(statement))
    stream.end(rows)
    await finished(stream)
    return { command: 'COPY', rowCount: stream.rowCount, rows: [] }
  }
}
