import { hash } from 'node:crypto'

/** SHA-256 of a secret. It has 32 random bytes, so that a slow hash with a salt would not add security. */
export function hashKey(secret: string): Uint8Array {
  return hash('sha256', secret, 'buffer')
}

/** The same hash as base64, for use as a key of maps; computing it takes half the time of the bytes. */
export function hashKeyToBase64(secret: string): string {
  return hash('sha256', secret, 'base64')
}

/** Converts a hash from bytes to base64. */
export function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
