import type { Kysely } from 'kysely'
import type { BlockRef } from '../rpc/BlockHeader.ts'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'

/** How far a chain is indexed, as the store has it. */
export interface Cursor {
  readonly genesisHash: string
  /** The newest indexed block; undefined before the first. */
  readonly block: BlockRef | undefined
  /** Highest block that counts as final, -1 when there is none. */
  readonly finalBlock: number
  readonly isSynced: boolean
  readonly scope: string
}

/** Reads a chain's cursor, undefined when the store does not know the chain. */
export async function readCursor(
  db: Kysely<Database>,
  chainId: number,
): Promise<Cursor | undefined> {
  const row = await db
    .selectFrom('chains')
    .selectAll()
    .where('chain_id', '=', chainId)
    .executeTakeFirst()
  return (
    row && {
      genesisHash: toHex(row.genesis_hash),
      block:
        row.indexed_block === null || row.indexed_hash === null
          ? undefined
          : { number: row.indexed_block, hash: toHex(row.indexed_hash) },
      finalBlock: row.final_block,
      isSynced: row.synced_at !== null,
      scope: row.scope,
    }
  )
}
