import { type Kysely, sql } from 'kysely'
import { bytesArray } from '../store/arrays.ts'
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
    return {
      tokens: tokenId === undefined ? await markTokensPending(transaction, chainId, [contract]) : 0,
      collectibles: Number(collectibles.numUpdatedRows),
    }
  })
}

/**
 * Marks the metadata of token contracts as pending, in a transaction that has locked the row of the chain.
 *
 * @returns how many were marked.
 */
export async function markTokensPending(
  transaction: Kysely<Database>,
  chainId: number,
  contracts: readonly string[],
): Promise<number> {
  const { numUpdatedRows } = await transaction
    .updateTable('tokens')
    .set({ metadata: 'pending', attempts: 0, failures: 0 })
    .where('chain_id', '=', chainId)
    .where('address', '=', sql<Uint8Array>`any(${bytesArray(contracts)})`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
