import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'

/** Notes that a chain's first indexing is done. */
export async function markSynced(db: Kysely<Database>, chainId: number): Promise<void> {
  await db
    .updateTable('chains')
    .set({ synced_at: sql<Date>`coalesce(synced_at, now())` })
    .where('chain_id', '=', chainId)
    .execute()
}
