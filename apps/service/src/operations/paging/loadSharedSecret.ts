import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../../store/Database.ts'

/** Loads a secret by name and creates it if it is missing. All processes on one store get the same. */
export async function loadSharedSecret(db: Kysely<Database>, name: string): Promise<Uint8Array> {
  const find = () =>
    db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst()
  const existing = await find()
  if (existing) {
    return existing.value
  }
  await db
    .insertInto('secrets')
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  // Another process may have created it first.
  const created = await find()
  if (!created) {
    throw new Error(`The secret ${name} was deleted while it was created`)
  }
  return created.value
}
