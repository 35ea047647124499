import { type RawBuilder, sql } from 'kysely'

/**
 * Selects the hash of the first block of a row; null where the store does not have the block. After a reorg, another contract may
 * have the same address, and another NFT the same id, so that what was read of the one before must not be written.
 */
export function selectFirstHash(table: 'tokens' | 'collectibles'): RawBuilder<string | null> {
  const row = sql.table(table)
  return sql`(
    select '0x' || encode(blocks.hash, 'hex') from blocks
    where blocks.chain_id = ${row}.chain_id and blocks.number = ${row}.first_block
  )`
}
