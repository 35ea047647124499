import { type Kysely, sql } from 'kysely'
import { zeroAddress } from '../indexing/decode/words.ts'
import { invalidateResponses } from '../store/changes.ts'
import type { Database } from '../store/Database.ts'
import { fromHex } from '../store/hex.ts'
import { lockChainRow } from '../store/lockChainRow.ts'

/**
 * Switches a token back to amounts of the ledger, and restarts its audit, which switches it again if the ledger is still
 * wrong.
 *
 * @param token - in lower case.
 * @returns whether its amounts were read from the chain before.
 */
export async function resetAudit(
  db: Kysely<Database>,
  chainId: number,
  token: string,
): Promise<boolean> {
  return await db.transaction().execute(async (transaction) => {
    await lockChainRow(transaction, chainId)
    const { numUpdatedRows } = await transaction
      .updateTable('tokens')
      .set({
        amounts_from: 'ledger',
        audited_block: -1,
        compared_block: null,
        audit_amount: 'Infinity',
        audit_holder: fromHex(zeroAddress),
        holders_listed: false,
        holders_read: false,
        // A token without amounts in the ledger is classified again.
        metadata: sql`case when events & 3 = 2 then 'pending' else metadata end`,
      })
      .where('chain_id', '=', chainId)
      .where('address', '=', fromHex(token))
      .where('amounts_from', '=', 'chain')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) {
      return false
    }
    await invalidateResponses(transaction, chainId)
    await transaction
      .deleteFrom('chain_amounts')
      .where('chain_id', '=', chainId)
      .where('token', '=', fromHex(token))
      .execute()
    return true
  })
}
