import { type Kysely, sql } from 'kysely'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { bytesArray } from '../store/arrays.ts'
import type { Database } from '../store/Database.ts'
import { toHex } from '../store/hex.ts'
import { readTokenMetadata } from './readTokenMetadata.ts'

const batchSize = 50

/**
 * Asks the contracts of the tokens that wait longest, and writes what they tell.
 *
 * @returns how many tokens were asked; 0 when none waits.
 * @throws {NodeError} when the node failed; the tokens wait on.
 */
export async function fillPendingTokens(
  db: Kysely<Database>,
  node: ChainNode,
  chainId: number,
  signal?: AbortSignal,
): Promise<number> {
  const pending = await db
    .selectFrom('tokens')
    .select('address')
    .where('chain_id', '=', chainId)
    .where('metadata', '=', 'pending')
    .orderBy('first_block')
    .limit(batchSize)
    .execute()
  if (pending.length === 0) return 0
  const tokens = pending.map(({ address }) => toHex(address))
  const told = await Promise.all(
    tokens.map(async (token) => readTokenMetadata(node, token, signal)),
  )
  await sql`
    update tokens set name = told.name, symbol = told.symbol, decimals = told.decimals,
      metadata = case when coalesce(told.name, told.symbol, told.decimals::text) is null
        then 'failed' else 'read' end
    from (
      select address, texts.* from unnest(${bytesArray(tokens)}) with ordinality as asked (address, position)
      join jsonb_to_recordset(${JSON.stringify(told.map((row, position) => ({ ...row, position: position + 1 })))}::jsonb)
        as texts (position int, name text, symbol text, decimals int) using (position)
    ) told
    where tokens.chain_id = ${chainId}::bigint and tokens.address = told.address`.execute(db)
  return tokens.length
}
