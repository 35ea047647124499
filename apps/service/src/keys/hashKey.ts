import { hash } from 'node:crypto'

/** SHA-256 of a key. The key holds 32 random bytes, so a slow hash with salt would add nothing. */
export function hashKey(key: string): Uint8Array {
  return hash('sha256', key, 'buffer')
}

/** The same hash as a text to find it by, which costs half of what its bytes do. */
export function nameKey(key: string): string {
  return hash('sha256', key, 'base64')
}
