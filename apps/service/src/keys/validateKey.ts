import type { ApiKey } from './ApiKey.ts'

/** The valid key, or why it is rejected. Unknown, revoked and expired keys are not distinguished. */
export type KeyValidation = { readonly key: ApiKey } | { readonly rejection: 'invalid' | 'purpose' }

/**
 * Validates a key for a purpose.
 *
 * @param key - undefined when no key has the secret.
 * @param purpose - what the request requires the key to be issued for.
 */
export function validateKey(
  key: ApiKey | undefined,
  purpose: string,
  now = new Date(),
): KeyValidation {
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= now)) {
    return { rejection: 'invalid' }
  }
  if (key.purpose !== purpose) {
    return { rejection: 'purpose' }
  }
  return { key }
}
