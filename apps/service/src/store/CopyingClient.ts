import { finished } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { type Copy, parseCopy } from './copyInto.ts'

/** A PostgreSQL client that also executes the statements of `copyInto`. */
export class CopyingClient extends pg.Client {
  // Keeps all overloads of `pg`: only statements of `copyInto` are handled differently.
  override query(...args: unknown[]): never {
    const [statement, parameters] = args
    const copy = parseCopy(statement, parameters)
    if (copy) {
      return this.#copy(copy) as never
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
