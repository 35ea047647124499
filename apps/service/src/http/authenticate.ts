import { API_KEY_HEADER } from '@headwater/contract'
import type { Context } from 'hono'
import { DATA_PURPOSE } from '../keys/dataPurpose.ts'
import { judgeKey } from '../keys/judgeKey.ts'
import type { Key } from '../keys/Key.ts'
import type { KeyAccess } from '../keys/KeyAccess.ts'
import { RefusalError } from '../operations/RefusalError.ts'
import type { Environment } from './Environment.ts'
import { setHeaders } from './setHeaders.ts'
import { unitHeaders } from './unitHeaders.ts'

/**
 * Finds the key that a request carries, and tells in the answer what is left of its units.
 *
 * @throws {RefusalError} 401 without a usable key, 403 with one that was issued for another purpose.
 */
export async function authenticate(
  context: Context<Environment>,
  { reader, meter }: KeyAccess,
): Promise<Key> {
  const secret = context.req.header(API_KEY_HEADER)
  if (!secret)
    throw new RefusalError(
      401,
      'API_KEY_MISSING',
      `Send an API key in the header ${API_KEY_HEADER}`,
    )
  const verdict = judgeKey(await reader.find(secret), DATA_PURPOSE)
  if ('refusal' in verdict) {
    if (verdict.refusal === 'purpose')
      throw new RefusalError(403, 'API_KEY_PURPOSE', 'The API key was issued for another purpose')
    throw new RefusalError(401, 'API_KEY_INVALID', 'The API key is unknown, revoked or expired')
  }
  const { key } = verdict
  context.set('key', key)
  setHeaders(context, unitHeaders(meter.remaining(key)))
  return key
}
