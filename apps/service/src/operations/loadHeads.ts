import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'
import { ApiError } from './ApiError.ts'

/** The head of the store: the indexed block of a chain. */
export interface Head extends BlockRef {
  /** Unix seconds. */
  readonly time: number
  /** Incremented when names, symbols or decimals of the chain's tokens change, which they do without a new block. */
  readonly metadataVersion: number
}

/** Initial indexing takes minutes to days, so that more frequent retries are useless. */
const retryAfterSeconds = 10

/**
 * Loads the indexed block of each chain, by chain id and in its order.
 *
 * @throws {ApiError} 503 until the initial indexing of all of them is complete.
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
  const pending = chains.filter(({ id }) => !heads.has(id))
  if (pending.length > 0) {
    throw new ApiError(
      503,
      'CHAIN_NOT_READY',
      `Initial indexing is not complete for chains: ${pending.map(({ id }) => id).join(', ')}`,
      { retryAfterSeconds: retryAfterSeconds },
    )
  }
  return heads
}

/**
 * Loads the indexed block of one chain.
 *
 * @throws {ApiError} 503 until its initial indexing is complete.
 */
export async function loadHead(db: Kysely<Database>, chain: ChainConfig): Promise<Head> {
  const head = (await loadHeads(db, [chain])).get(chain.id)
  if (!head) {
    throw new Error(`Chain ${chain.id} is ready and has no indexed block`)
  }
  return head
}
