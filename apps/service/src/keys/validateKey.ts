import type { Key } from './Key.ts'

/** Whether a key may pass, or why not. Unknown, revoked and expired keys are not told apart. */
export type KeyValidation = { readonly key: Key } | { readonly refusal: 'invalid' | 'purpose' }

/**
 * Says whether a key may be used now for a purpose.
 *
 * @param key - undefined when no key has the secret that came.
 * @param purpose - what the request needs the key to be issued for.
 */
export function validateKey(
  key: Key | undefined,
  purpose: string,
  now = new Date(),
): KeyValidation {
  if (!key || key.revokedAt || (key.expiresAt && key.expiresAt <= now)) {
    return { refusal: 'invalid' }
  }
  if (key.purpose !== purpose) {
    return { refusal: 'purpose' }
  }
  return { key }
}
