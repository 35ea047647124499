import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { ApiKey } from './ApiKey.ts'
import type { Rate } from './Rate.ts'
import { toKey } from './toKey.ts'

/** Changes of a key; undefined properties keep their value, `null` removes a limit. */
export interface KeyChanges {
  readonly name?: string | undefined
  readonly expiresAt?: Date | null | undefined
  /** `null` for the configured default. */
  readonly rate?: Rate | null | undefined
  readonly unitsQuota?: number | null | undefined
  /** Compute units to add to the quota of the key. */
  readonly addedUnits?: number | undefined
}

/**
 * Changes a key. Services apply the change within a second.
 *
 * @param id - the id of the key, as `loadAllKeys` returns it.
 * @returns the changed key; undefined when there is no such key, it is revoked, or units are added to a key without a
 *   quota.
 */
export async function updateKey(
  db: Kysely<Database>,
  id: number,
  { name, expiresAt, rate, unitsQuota, addedUnits }: KeyChanges,
): Promise<ApiKey | undefined> {
  const row = await db
    .updateTable('keys')
    .set({
      // Always set, because an update without columns is not valid SQL.
      name: name ?? sql<string>`name`,
      ...(expiresAt !== undefined && { expires_at: expiresAt }),
      ...(rate !== undefined && {
        rate_requests: rate?.requests ?? null,
        rate_seconds: rate?.seconds ?? null,
      }),
      ...(unitsQuota !== undefined && { units_quota: unitsQuota }),
      // More than any key uses, and the largest number that is read without loss.
      ...(addedUnits !== undefined && {
        units_quota: sql<number>`least(units_quota + ${addedUnits}, ${Number.MAX_SAFE_INTEGER})`,
      }),
    })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .$if(addedUnits !== undefined, (query) => query.where('units_quota', 'is not', null))
    .returningAll()
    .executeTakeFirst()
  return row && toKey(row)
}
