import type { Kysely } from 'kysely'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'
import type { PoolType } from './Fact.ts'

/** A chain's pools by address, those made after `lastBlock` left out. */
export async function readPools(
  db: Kysely<Database>,
  chainId: number,
  lastBlock = Number.MAX_SAFE_INTEGER,
): Promise<Map<string, PoolType>> {
  const rows = await db
    .selectFrom('pools')
    .select(['address', 'kind'])
    .where('chain_id', '=', chainId)
    .where('first_block', '<=', lastBlock)
    .execute()
  return new Map(rows.map(({ address, kind }) => [toHex(address), kind]))
}
