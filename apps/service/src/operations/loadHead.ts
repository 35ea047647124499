import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import type { Database } from '../store/Database.ts'
import { type Head, loadHeads } from './loadHeads.ts'

/**
 * Loads the head of one chain.
 *
 * @throws {ApiError} 503 when its first indexing is not done.
 */
export async function loadHead(db: Kysely<Database>, chain: ChainConfig): Promise<Head> {
  const head = (await loadHeads(db, [chain])).get(chain.id)
  if (!head) {
    throw new Error(`Chain ${chain.id} is ready and has no head`)
  }
  return head
}
