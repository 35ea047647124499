import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../store/Database.ts'
import type { Store } from '../../store/Store.ts'

/**
 * Loads a secret by name and creates it if it is missing. All processes on one store get the same, also one that starts while only
 * the replica is available.
 */
export async function loadSharedSecret(
  { db, reader }: Pick<Store, 'db' | 'reader'>,
  name: string,
): Promise<Uint8Array> {
  const find = (from: Kysely<Database>) =>
    from.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst()
  const existing = await find(reader)
  if (existing) {
    return existing.value
  }
  await db
    .insertInto('secrets')
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  // Another process may have created it first, also one whose secret has not reached the replica.
  const created = await find(db)
  if (!created) {
    throw new Error(`The secret ${name} was deleted while it was created`)
  }
  return created.value
}
