import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'
import { ApiError } from './ApiError.ts'

/** The newest indexed block of a chain. */
export interface Head extends BlockRef {
  /** Unix seconds. */
  readonly time: number
  /** Grows when texts and decimals of the chain's tokens change, which they do without a new block. */
  readonly metadataVersion: number
}

/** A first indexing takes minutes to days; whoever waits for it need not ask more often. */
const RETRY_AFTER_SECONDS = 10

/**
 * Loads the head of every chain, by chain id and in its order.
 *
 * @throws {ApiError} 503 when the first indexing of one of them is not done.
 */
export async function loadHeads(
  db: Kysely<Database>,
  chains: readonly ChainConfig[],
): Promise<Map<number, Head>> {
  if (chains.length === 0) {
    return new Map()
  }
  const rows = await db
    .selectFrom('chains')
    .select(['chain_id', 'indexed_block', 'indexed_hash', 'indexed_time', 'metadata_version'])
    .where(
      'chain_id',
      'in',
      chains.map(({ id }) => id),
    )
    .where('synced_at', 'is not', null)
    .orderBy('chain_id')
    .execute()
  const heads = new Map<number, Head>()
  for (const { chain_id, indexed_block, indexed_hash, indexed_time, metadata_version } of rows) {
    if (indexed_block !== null && indexed_hash !== null && indexed_time !== null) {
      heads.set(chain_id, {
        number: indexed_block,
        hash: toHex(indexed_hash),
        time: indexed_time,
        metadataVersion: metadata_version,
      })
    }
  }
  const behind = chains.filter(({ id }) => !heads.has(id))
  if (behind.length > 0) {
    throw new ApiError(
      503,
      'CHAIN_NOT_READY',
      `The first indexing is not done of chain ${behind.map(({ id }) => id).join(', ')}`,
      { retryAfterSeconds: RETRY_AFTER_SECONDS },
    )
  }
  return heads
}
