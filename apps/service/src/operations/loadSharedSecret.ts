import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'

/** Gives the secret of a name, making it when there is none yet. Every process on one store gets the same. */
export async function loadSharedSecret(db: Kysely<Database>, name: string): Promise<Uint8Array> {
  const find = () =>
    db.selectFrom('secrets').select('value').where('name', '=', name).executeTakeFirst()
  const found = await find()
  if (found) {
    return found.value
  }
  await db
    .insertInto('secrets')
    .values({ name, value: randomBytes(32) })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute()
  const made = await find()
  if (!made) {
    throw new Error(`The secret ${name} was made and is gone`)
  }
  return made.value
}
