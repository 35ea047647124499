import { type Kysely, sql } from 'kysely'
import { bytesArray, numericArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'

/** Identifies an NFT. The contract is in lower case. */
export interface CollectibleKey {
  readonly chainId: number
  readonly contract: string
  readonly tokenId: bigint
}

/**
 * Gives the metadata of NFTs priority over those that no client requested. NFTs that were requested before, that were
 * read or failed, and that wait for a retry stay unchanged.
 *
 * @param db - the primary, as it writes.
 */
export async function requestCollectibles(
  db: Kysely<Database>,
  keys: readonly CollectibleKey[],
): Promise<void> {
  const chainIds = new Set(keys.map(({ chainId }) => chainId))
  for (const chainId of chainIds) {
    const ofChain = keys.filter((key) => key.chainId === chainId)
    const contracts = bytesArray(ofChain.map(({ contract }) => contract))
    const tokenIds = numericArray(ofChain.map(({ tokenId }) => tokenId))
    // Locked in a fixed order, so that concurrent requests do not deadlock.
    await sql`
      update collectibles set requested_at = now()
      from (
        select chain_id, contract, token_id
        from collectibles
        join (select distinct * from unnest(${contracts}, ${tokenIds}) as requested (contract, token_id)) requested
          using (contract, token_id)
        where chain_id = ${chainId}::bigint and metadata = 'pending'
          and retry_at is null and requested_at is null
        order by contract, token_id
        for update of collectibles skip locked
      ) pending
      where collectibles.chain_id = pending.chain_id and collectibles.contract = pending.contract
        and collectibles.token_id = pending.token_id`.execute(db)
  }
}
