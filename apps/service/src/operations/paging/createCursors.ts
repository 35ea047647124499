import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto'

const signatureBytes = 16

/** Identity of a listing: operation, path and filters. A cursor of one listing is ignored by others. */
export type ListingScope = readonly unknown[]

/** Encodes and decodes the cursors of listings. */
export interface Cursors {
  /** Encodes the key of a page's last entry. */
  readonly write: (scope: ListingScope, key: unknown) => string
  /** Decodes a cursor; undefined if this service did not create it for this listing. */
  readonly read: (scope: ListingScope, cursor: string) => unknown
}

/**
 * Creates cursors that clients cannot forge: base64url of a key and of its signature.
 *
 * @param secret - shared by all processes of a service, so that each accepts the cursors of the others.
 */
export function createCursors(secret: Uint8Array): Cursors {
  // Once, as it takes longer than a signature.
  const signingKey = createSecretKey(secret)
  const sign = (scope: ListingScope, key: string) =>
    createHmac('sha256', signingKey)
      .update(JSON.stringify([scope, key]))
      .digest()
      .subarray(0, signatureBytes)
  return {
    write(scope, key) {
      const text = JSON.stringify(key)
      return Buffer.concat([sign(scope, text), Buffer.from(text)]).toString('base64url')
    },
    read(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const signature = bytes.subarray(0, signatureBytes)
      const text = bytes.subarray(signatureBytes).toString()
      // The decoder ignores invalid characters; only the canonical encoding is accepted.
      if (signature.length < signatureBytes || bytes.toString('base64url') !== cursor) {
        return undefined
      }
      if (!timingSafeEqual(signature, sign(scope, text))) {
        return undefined
      }
      return JSON.parse(text) as unknown
    },
  }
}
