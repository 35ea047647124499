import type { Kysely } from 'kysely'
import type { BlockRef } from '../rpc/BlockHeader.ts'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'

/** The indexed blocks of a range, both ends included, newest first. */
export async function readHashes(
  db: Kysely<Database>,
  chainId: number,
  from: number,
  to: number,
): Promise<BlockRef[]> {
  const rows = await db
    .selectFrom('blocks')
    .select(['number', 'hash'])
    .where('chain_id', '=', chainId)
    .where('number', '>=', from)
    .where('number', '<=', to)
    .orderBy('number', 'desc')
    .execute()
  return rows.map(({ number, hash }) => ({ number, hash: toHex(hash) }))
}
