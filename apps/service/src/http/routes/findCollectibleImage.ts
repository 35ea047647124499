import { sql } from 'kysely'
import { type CollectibleKey, requestCollectibles } from '../../metadata/requestCollectibles.ts'
import { ApiError } from '../../operations/ApiError.ts'
import { fromHex } from '../../store/hex.ts'
import type { Store } from '../../store/Store.ts'

/** The usual time until requested metadata is fetched. */
const retryAfterSeconds = 5

/**
 * Finds the URI of an NFT's image. If the metadata of the NFT has not been fetched yet, it is fetched next.
 *
 * @throws {ApiError} 404 when the NFT does not exist or has no image, 503 when its metadata has not been fetched yet.
 */
export async function findCollectibleImage(
  store: Pick<Store, 'db' | 'reader'>,
  key: CollectibleKey,
): Promise<string> {
  const found = await store.reader
    .selectFrom('collectibles')
    .select(['metadata', 'image'])
    .where('chain_id', '=', key.chainId)
    .where('contract', '=', fromHex(key.contract))
    .where('token_id', '=', sql<string>`${String(key.tokenId)}::numeric`)
    .executeTakeFirst()
  if (!found || (found.image === null && found.metadata === 'pending')) {
    // Documents of chains that are not indexed, or not completely, are stored apart.
    const document = await store.reader
      .selectFrom('collectible_documents')
      .select('image')
      .where('chain_id', '=', key.chainId)
      .where('contract', '=', fromHex(key.contract))
      .where('token_id', '=', sql<string>`${String(key.tokenId)}::numeric`)
      .executeTakeFirst()
    if (document?.image) {
      return document.image
    }
  }
  if (!found) {
    throw new ApiError(404, 'COLLECTIBLE_NOT_FOUND', 'The NFT does not exist')
  }
  if (found.image !== null) {
    return found.image
  }
  if (found.metadata !== 'pending') {
    throw new ApiError(404, 'IMAGE_NOT_FOUND', 'The NFT has no image')
  }
  await requestCollectibles(store.db, [key])
  throw new ApiError(503, 'IMAGE_NOT_READY', 'The NFT metadata has not been fetched yet', {
    retryAfterSeconds,
  })
}
