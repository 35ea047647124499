import type { SortKey } from '../operations/SortKey.ts'
import { hexOf } from '../world/hash.ts'

/** Identity of a listing: its operation, path and filters. A cursor of one listing has no effect in another. */
export type ListingScope = readonly unknown[]

/** The cursor after the row with this key. Its signature detects values of other listings and is not secret. */
export function writeCursor(scope: ListingScope, key: SortKey): string {
  const text = JSON.stringify(key)
  return btoa(sign(scope, text) + text)
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** The key of a cursor; undefined for a value that was not created for this listing. */
export function readCursor(scope: ListingScope, cursor: string): SortKey | undefined {
  if (!/^[\w-]*$/.test(cursor) || cursor.length % 4 === 1) {
    return undefined
  }
  const text = atob(cursor.replaceAll('-', '+').replaceAll('_', '/'))
  const json = text.slice(signatureLength)
  if (!text.startsWith(sign(scope, json)) || json === '') {
    return undefined
  }
  return JSON.parse(json) as SortKey
}

const signatureLength = 16

function sign(scope: ListingScope, text: string): string {
  return hexOf(JSON.stringify([scope, text]), signatureLength / 8)
}
