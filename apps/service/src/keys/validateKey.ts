import type { ApiKey } from './ApiKey.ts'

/**
 * Returns a key if it is valid. Unknown, revoked and expired keys are not distinguished.
 *
 * @param key - undefined when no key has the secret.
 */
export function validateKey(key: ApiKey | undefined, now = new Date()): ApiKey | undefined {
  return !key || key.revokedAt || (key.expiresAt && key.expiresAt <= now) ? undefined : key
}
