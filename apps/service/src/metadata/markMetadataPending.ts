import { type Kysely, sql } from 'kysely'
import type { Database } from '../store/Database.ts'
import { fromHex } from '../store/hex.ts'
import { lockChainRow } from '../store/lockChainRow.ts'

/**
 * Marks the metadata of a contract and of all its NFTs, or of one NFT, as pending. Responses contain the current values
 * until the new ones are fetched.
 *
 * @param contract - in lower case.
 * @returns how many tokens and NFTs were marked.
 */
export async function markMetadataPending(
  db: Kysely<Database>,
  { chainId, contract, tokenId }: { chainId: number; contract: string; tokenId?: bigint },
): Promise<{ readonly tokens: number; readonly collectibles: number }> {
  return await db.transaction().execute(async (transaction) => {
    await lockChainRow(transaction, chainId)
    const collectibles = await transaction
      .updateTable('collectibles')
      .set({ metadata: 'pending', attempts: 0, retry_at: null, requested_at: sql`now()` })
      .where('chain_id', '=', chainId)
      .where('contract', '=', fromHex(contract))
      .$if(tokenId !== undefined, (query) => query.where('token_id', '=', String(tokenId)))
      .executeTakeFirst()
    const tokens =
      tokenId === undefined
        ? await transaction
            .updateTable('tokens')
            .set({ metadata: 'pending', attempts: 0, failures: 0 })
            .where('chain_id', '=', chainId)
            .where('address', '=', fromHex(contract))
            .executeTakeFirst()
        : undefined
    return {
      tokens: Number(tokens?.numUpdatedRows ?? 0),
      collectibles: Number(collectibles.numUpdatedRows),
    }
  })
}
