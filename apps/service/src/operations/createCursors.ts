import { createHmac, timingSafeEqual } from 'node:crypto'

const SIGNATURE_BYTES = 16

/** What a listing is of: its operation, path and filters. A cursor of one listing has no effect in another. */
export type ListingScope = readonly unknown[]

/** Writes and reads the cursors of listings. */
export interface Cursors {
  /** The cursor after the entry with this key. */
  readonly write: (scope: ListingScope, key: unknown) => string
  /** The key within a cursor; undefined for a value that this service did not write for this listing. */
  readonly read: (scope: ListingScope, cursor: string) => unknown
}

/**
 * Makes cursors that only this service can make: a key and a signature of it and of the listing, as one word.
 *
 * @param secret - the same in every process that answers, so that any of them can go on where another stopped.
 */
export function createCursors(secret: Uint8Array): Cursors {
  const sign = (scope: ListingScope, key: string) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([scope, key]))
      .digest()
      .subarray(0, SIGNATURE_BYTES)
  return {
    write(scope, key) {
      const text = JSON.stringify(key)
      return Buffer.concat([sign(scope, text), Buffer.from(text)]).toString('base64url')
    },
    read(scope, cursor) {
      const bytes = Buffer.from(cursor, 'base64url')
      const signature = bytes.subarray(0, SIGNATURE_BYTES)
      const text = bytes.subarray(SIGNATURE_BYTES).toString()
      // The decoder lets much pass; what was not written here letter by letter is made up.
      if (signature.length < SIGNATURE_BYTES || bytes.toString('base64url') !== cursor) {
        return undefined
      }
      if (!timingSafeEqual(signature, sign(scope, text))) {
        return undefined
      }
      return JSON.parse(text) as unknown
    },
  }
}
