import { type Kysely, sql } from 'kysely'
import { integerArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'

/** Units that keys used since the previous flush of one process. */
export interface UnitFlush {
  /** Id of the process. */
  readonly process: string
  /** Increases with each flush of the process. */
  readonly number: number
  /** Units by key id. */
  readonly units: ReadonlyMap<number, number>
}

/**
 * Adds used units to the totals of their keys. It is idempotent: a flush is written again when its commit was interrupted,
 * as it is unknown whether that succeeded.
 *
 * @returns the new totals, by key id.
 */
export async function writeUnits(
  db: Kysely<Database>,
  { process, number, units }: UnitFlush,
): Promise<ReadonlyMap<number, number>> {
  const ids = [...units.keys()].sort((a, b) => a - b)
  const now = sql<Date>`now()`
  return await db.transaction().execute(async (transaction) => {
    const flush = { process, number, flushed_at: now }
    const isNew = await transaction
      .insertInto('unit_flushes')
      .values(flush)
      .onConflict((conflict) =>
        conflict.column('process').doUpdateSet(flush).where('unit_flushes.number', '<', number),
      )
      .returning('number')
      .executeTakeFirst()
    if (number === 1) {
      await transaction
        .deleteFrom('unit_flushes')
        .where('flushed_at', '<', sql<Date>`now() - interval '30 days'`)
        .execute()
    }
    // All processes lock the keys in the same order, which avoids deadlocks.
    await transaction
      .selectFrom('keys')
      .select('id')
      .where('id', 'in', ids)
      .orderBy('id')
      .forUpdate()
      .execute()
    if (isNew) {
      await sql`
        update keys set units_used = units_used + used.units, used_at = ${now}
        from unnest(${integerArray(ids)}, ${integerArray(ids.map((id) => units.get(id) ?? 0))})
          as used(id, units)
        where keys.id = used.id`.execute(transaction)
    }
    const rows = await transaction
      .selectFrom('keys')
      .select(['id', 'units_used'])
      .where('id', 'in', ids)
      .execute()
    return new Map(rows.map(({ id, units_used }) => [id, units_used]))
  })
}
