import type { Context } from 'hono'
import { API_KEY_HEADER } from '@headwater/contract'
import { DATA_PURPOSE } from '../../keys/dataPurpose.ts'
import type { Key } from '../../keys/Key.ts'
import type { KeyAccess } from '../../keys/KeyAccess.ts'
import { validateKey } from '../../keys/validateKey.ts'
import { ApiError } from '../../operations/ApiError.ts'
import type { Environment } from '../Environment.ts'
import { setHeaders } from './setHeaders.ts'
import { unitHeaders } from './unitHeaders.ts'

/**
 * Finds the key that a request carries, and tells in the answer what is left of its units.
 *
 * @throws {ApiError} 401 without a usable key, 403 with one that was issued for another purpose.
 */
export async function authenticate(
  context: Context<Environment>,
  { reader, meter }: KeyAccess,
): Promise<Key> {
  const secret = context.req.header(API_KEY_HEADER)
  if (!secret) {
    throw new ApiError(401, 'API_KEY_MISSING', `Send an API key in the header ${API_KEY_HEADER}`)
  }
  const verdict = validateKey(await reader.find(secret), DATA_PURPOSE)
  if ('refusal' in verdict) {
    if (verdict.refusal === 'purpose') {
      throw new ApiError(403, 'API_KEY_PURPOSE', 'The API key was issued for another purpose')
    }
    throw new ApiError(401, 'API_KEY_INVALID', 'The API key is unknown, revoked or expired')
  }
  const { key } = verdict
  context.set('key', key)
  setHeaders(context, unitHeaders(meter.remaining(key)))
  return key
}
