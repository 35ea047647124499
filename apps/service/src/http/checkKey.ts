import { API_KEY_HEADER } from '@headwater/contract'
import type { Kysely } from 'kysely'
import { DATA_PURPOSE } from '../keys/dataPurpose.ts'
import type { Key } from '../keys/Key.ts'
import { verifyKey } from '../keys/verifyKey.ts'
import { RefusalError } from '../operations/RefusalError.ts'
import type { Database } from '../store/Database.ts'

/**
 * Finds the key that a request carries.
 *
 * @throws {RefusalError} 401 without a usable key, 403 with one that was issued for another purpose.
 */
export async function checkKey(db: Kysely<Database>, secret: string | undefined): Promise<Key> {
  if (!secret)
    throw new RefusalError(
      401,
      'API_KEY_MISSING',
      `Send an API key in the header ${API_KEY_HEADER}`,
    )
  const verdict = await verifyKey(db, secret, DATA_PURPOSE)
  if ('key' in verdict) return verdict.key
  if (verdict.refusal === 'purpose')
    throw new RefusalError(403, 'API_KEY_PURPOSE', 'The API key was issued for another purpose')
  throw new RefusalError(401, 'API_KEY_INVALID', 'The API key is unknown, revoked or expired')
}
