import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'

/** Addresses of a chain's pools, those made after `lastBlock` left out. */
export async function readPools(
  db: Kysely<Database>,
  chainId: number,
  lastBlock = Number.MAX_SAFE_INTEGER,
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('pools')
    .select('address')
    .where('chain_id', '=', chainId)
    .where('first_block', '<=', lastBlock)
    .execute()
  return new Set(rows.map(({ address }) => toHex(address)))
}
