import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import { fromHex } from '../store/hex.ts'
import { type AuditedBlock, holdBlock } from './AuditedBlock.ts'

/**
 * Has the amounts of a token read from the chain from now on. What was answered of it before is answered anew.
 *
 * @param block - at which its ledger was wrong; if it was taken back meanwhile, nothing is done.
 * @returns whether it was done, and not before.
 */
export async function readFromChain(
  db: Kysely<Database>,
  block: AuditedBlock,
  token: string,
): Promise<boolean> {
  const { chainId } = block
  return await db.transaction().execute(async (transaction) => {
    if (!(await holdBlock(transaction, block))) {
      return false
    }
    const { numUpdatedRows } = await transaction
      .updateTable('tokens')
      .set({ amounts_from: 'chain', holders_listed: false, holders_read: false })
      .where('chain_id', '=', chainId)
      .where('address', '=', fromHex(token))
      .where('standard', '=', 20)
      .where('amounts_from', '=', 'ledger')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      return false
    }
    await transaction
      .updateTable('chains')
      .set({ metadata_version: sql<number>`metadata_version + 1` })
      .where('chain_id', '=', chainId)
      .execute()
    await sql`
      insert into audits (chain_id, checked, mismatched, seen_block, seen_hash)
      values (${chainId}::bigint, 0, 1, ${block.number}::bigint, ${fromHex(block.hash)})
      on conflict (chain_id) do update set mismatched = audits.mismatched + 1`.execute(transaction)
    return true
  })
}
