import { timingSafeEqual } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import type { Key } from './Key.ts'
import { nameOf } from './KeyReader.ts'
import { toKey } from './toKey.ts'

/** Reads the keys that have these hashes, in one query. Hashes are compared in constant time at last. */
export async function loadKeys(
  db: Kysely<Database>,
  hashes: readonly Uint8Array[],
): Promise<ReadonlyMap<string, Key>> {
  const rows = await db.selectFrom('keys').selectAll().where('hash', 'in', hashes).execute()
  const byName = new Map(rows.map((row) => [nameOf(row.hash), row]))
  const keys = new Map<string, Key>()
  for (const hash of hashes) {
    const name = nameOf(hash)
    const row = byName.get(name)
    if (row && timingSafeEqual(row.hash, hash)) {
      keys.set(name, toKey(row))
    }
  }
  return keys
}
