import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'

/** Says of every configured chain how far it is indexed, and whether all of them can be answered. */
export async function checkReadiness(db: Kysely<Database>, configured: readonly ChainConfig[]) {
  const rows = await db
    .selectFrom('chains')
    .select(['chain_id', 'indexed_block', 'indexed_time', 'synced_at'])
    .execute()
  const byId = new Map(rows.map((row) => [row.chain_id, row]))
  const chains = configured.map(({ id, name }) => {
    const row = byId.get(id)
    const time = row?.indexed_time ?? undefined
    return {
      chain_id: id,
      name,
      synced: Boolean(row?.synced_at),
      indexed_block: row?.indexed_block ?? null,
      indexed_time: time === undefined ? null : new Date(time * 1000).toISOString(),
    }
  })
  return { ready: chains.every(({ synced }) => synced), chains }
}
