import { type Kysely, sql } from 'kysely'
import type { Database } from './Database.ts'

/**
 * Locks the row of a chain until the transaction ends, so that no block is written or undone meanwhile. To be called first in
 * a transaction that changes rows of the chain: the indexer locks this row first, so that the two do not deadlock.
 */
export async function lockChainRow(transaction: Kysely<Database>, chainId: number): Promise<void> {
  await sql`select 1 from chains where chain_id = ${chainId}::bigint for no key update`.execute(
    transaction,
  )
}
