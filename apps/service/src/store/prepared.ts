import { type RawBuilder, sql } from 'kysely'

const pattern = /^\/\* prepared (\w+) \*\//

/**
 * The start of a statement that takes long to plan: direct connections to PostgreSQL prepare it once. Through a pooler, which may
 * execute it in another session, and in the embedded database it is planned each time.
 *
 * @param name - of this statement alone, whose text must always be the same.
 */
export function prepared(name: string): RawBuilder<unknown> {
  return sql.raw(`/* prepared ${name} */`)
}

/** The name of a prepared statement; undefined for any other. */
export function getPreparedName(statement: unknown): string | undefined {
  return typeof statement === 'string' ? pattern.exec(statement)?.[1] : undefined
}
