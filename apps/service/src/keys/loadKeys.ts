import { timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { ApiKey } from './ApiKey.ts'
import { toBase64 } from './hashKey.ts'
import { toKey } from './toKey.ts'

/** Loads the keys with these hashes in one query, by their hash as base64. The final comparison takes constant time. */
export async function loadKeys(
  db: Kysely<Database>,
  hashes: readonly Uint8Array[],
): Promise<ReadonlyMap<string, ApiKey>> {
  const rows = await db.selectFrom('keys').selectAll().where('hash', 'in', hashes).execute()
  const rowByHash = new Map(rows.map((row) => [toBase64(row.hash), row]))
  const keys = new Map<string, ApiKey>()
  for (const hash of hashes) {
    const base64 = toBase64(hash)
    const row = rowByHash.get(base64)
    if (row && timingSafeEqual(row.hash, hash)) {
      keys.set(base64, toKey(row))
    }
  }
  return keys
}
