import type { Kysely } from 'kysely'
import type { ChainHold, Database } from './Database.ts'

/** Loads which command holds a chain, so that no process indexes it; undefined if none does. */
export async function loadHold(
  db: Kysely<Database>,
  chainId: number,
): Promise<ChainHold | undefined> {
  const indexer = await db
    .selectFrom('indexers')
    .select('hold')
    .where('chain_id', '=', chainId)
    .executeTakeFirst()
  return indexer?.hold ?? undefined
}
