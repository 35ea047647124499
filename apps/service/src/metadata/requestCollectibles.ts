import { type Kysely, sql } from 'kysely'
import { bytesArray, numericArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'

/** Names an NFT. The contract in lower case. */
export interface CollectibleKey {
  readonly chainId: number
  readonly contract: string
  readonly tokenId: bigint
}

/**
 * Has the documents of NFTs read before those that nobody waits for. It asks for each but once, and leaves alone those
 * that were read or given up, and those that wait to be tried again.
 *
 * @param db - not a replica: it writes.
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
    // Locked in one order, so that two requests never wait for each other in a circle.
    await sql`
      update collectibles set requested_at = now()
      from (
        select chain_id, contract, token_id
        from collectibles
        join (select distinct * from unnest(${contracts}, ${tokenIds}) as asked (contract, token_id)) asked
          using (contract, token_id)
        where chain_id = ${chainId}::bigint and metadata = 'pending'
          and retry_at is null and requested_at is null
        order by contract, token_id
        for update of collectibles skip locked
      ) waiting
      where collectibles.chain_id = waiting.chain_id and collectibles.contract = waiting.contract
        and collectibles.token_id = waiting.token_id`.execute(db)
  }
}
