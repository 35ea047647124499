import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { Key } from './Key.ts'
import type { Rate } from './Rate.ts'
import { toKey } from './toKey.ts'

/** What is to change of a key; what is not given stays. `null` takes a bound away. */
export interface KeyChanges {
  readonly name?: string | undefined
  readonly expiresAt?: Date | null | undefined
  /** `null`: as configured for all. */
  readonly rate?: Rate | null | undefined
  readonly unitsQuota?: number | null | undefined
  /** Compute units on top of the quota that the key has. */
  readonly addedUnits?: number | undefined
}

/**
 * Changes what a key may do. Services take notice within a second.
 *
 * @param id - the key's id, as `listKeys` tells it.
 * @returns the key as it is then; undefined when there is no such key, it was revoked, or units were to be added to a
 *   quota that it does not have.
 */
export async function updateKey(
  db: Kysely<Database>,
  id: number,
  { name, expiresAt, rate, unitsQuota, addedUnits }: KeyChanges,
): Promise<Key | undefined> {
  const row = await db
    .updateTable('keys')
    .set({
      // Said at least once, as an update of nothing is no statement.
      name: name ?? sql<string>`name`,
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(rate !== undefined && {
        rate_requests: rate?.requests ?? null,
        rate_seconds: rate?.seconds ?? null,
      }),
      ...(unitsQuota !== undefined && { units_quota: unitsQuota }),
      ...(addedUnits !== undefined && { units_quota: sql<number>`units_quota + ${addedUnits}` }),
    })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .$if(addedUnits !== undefined, (query) => query.where('units_quota', 'is not', null))
    .returningAll()
    .executeTakeFirst()
  return row && toKey(row)
}
