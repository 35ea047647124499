import { type Kysely, sql } from 'kysely'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { Database } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'

/** The block that a round of the audit is of: ledger and contracts are compared as they are at it. */
export interface AuditedBlock extends BlockRef {
  readonly chainId: number
  /** Highest block that counts as final. */
  readonly finalBlock: number
}

/**
 * Reads the indexed block; undefined while the first indexing of the chain is not done.
 *
 * @param isFirst - whether the chain is only called so once it was audited.
 */
export async function readAuditedBlock(
  db: Kysely<Database>,
  chainId: number,
  isFirst = false,
): Promise<AuditedBlock | undefined> {
  const row = await db
    .selectFrom('chains')
    .select(['indexed_block', 'indexed_hash', 'final_block'])
    .where('chain_id', '=', chainId)
    .$if(!isFirst, (query) => query.where('synced_at', 'is not', null))
    .executeTakeFirst()
  if (!row || row.indexed_block === null || row.indexed_hash === null) {
    return undefined
  }
  const { indexed_block: number, indexed_hash, final_block: finalBlock } = row
  return { chainId, number, hash: toHex(indexed_hash), finalBlock }
}

/**
 * Takes the chain's row until the transaction ends, so that no block is written or taken back meanwhile. First of all,
 * as when blocks are written, so that neither waits for the other in a circle.
 *
 * @returns whether the block is still one of the chain. What was read at one that is not tells nothing.
 */
export async function holdBlock(
  transaction: Kysely<Database>,
  { chainId, number, hash }: AuditedBlock,
): Promise<boolean> {
  await sql`select 1 from chains where chain_id = ${chainId}::bigint for no key update`.execute(
    transaction,
  )
  const block = await transaction
    .selectFrom('blocks')
    .select('number')
    .where('chain_id', '=', chainId)
    .where('number', '=', number)
    .where('hash', '=', fromHex(hash))
    .executeTakeFirst()
  return block !== undefined
}
