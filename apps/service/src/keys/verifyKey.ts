import { timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import { hashKey } from './hashKey.ts'
import type { Key } from './Key.ts'
import { toKey } from './toKey.ts'

/** A key that may pass, or why not. Unknown, revoked and expired keys are not told apart. */
type Verdict = { readonly key: Key } | { readonly refusal: 'invalid' | 'purpose' }

/**
 * Says whether a key may be used now for a purpose. It asks the store each time, so that revoking works at once.
 *
 * @param secret the whole key, as the request carried it.
 * @param purpose what the request needs the key to be issued for.
 */
export async function verifyKey(
  db: Kysely<Database>,
  secret: string,
  purpose: string,
  now = new Date(),
): Promise<Verdict> {
  const hash = hashKey(secret)
  const row = await db.selectFrom('keys').selectAll().where('hash', '=', hash).executeTakeFirst()
  if (!row || !timingSafeEqual(row.hash, hash)) return { refusal: 'invalid' }
  if (row.revoked_at || (row.expires_at && row.expires_at <= now)) return { refusal: 'invalid' }
  if (row.purpose !== purpose) return { refusal: 'purpose' }
  return { key: toKey(row) }
}
