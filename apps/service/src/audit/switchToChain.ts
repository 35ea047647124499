import { type Kysely, sql } from 'kysely'
import { invalidateResponses } from '../store/changes.ts'
import type { Database } from '../store/Database.ts'
import { fromHex } from '../store/hex.ts'
import { type AuditedBlock, lockBlock } from './AuditedBlock.ts'

/**
 * Switches a token from amounts of the ledger to amounts of the chain, and invalidates cached responses.
 *
 * @param block - the block at which the ledger was wrong. If it was replaced meanwhile, nothing is changed.
 * @returns whether the token was switched; false if it already was before.
 */
export async function switchToChain(
  db: Kysely<Database>,
  block: AuditedBlock,
  token: string,
): Promise<boolean> {
  const { chainId } = block
  return await db.transaction().execute(async (transaction) => {
    if (!(await lockBlock(transaction, block))) {
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
    await invalidateResponses(transaction, chainId)
    await sql`
      insert into audits (chain_id, checked, mismatched, seen_block)
      values (${chainId}::bigint, 0, 1, ${block.number}::bigint)
      on conflict (chain_id) do update set mismatched = audits.mismatched + 1`.execute(transaction)
    return true
  })
}
