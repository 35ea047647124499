import { type Kysely, sql } from 'kysely'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import type { Database } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'
import { lockChainRow } from '../store/lockChainRow.ts'
import { secondsPerDay } from '../time.ts'
import { fetchTokenMetadata } from './fetchTokenMetadata.ts'
import { markTokensPending } from './markMetadataPending.ts'

const batchSize = 50

/**
 * Notable tokens, as contracts are upgraded and created again at their address; or the contracts of the last day that lack
 * values, as the events of some begin before they are initialized.
 */
export type CheckedTokens = 'notable' | 'incomplete'

/**
 * Reads the name, symbol and decimals of some contracts again. Where they differ, the metadata is marked as pending. Responses
 * contain the current values until it is read.
 *
 * Values that a contract returns no longer are kept: a node may have returned nothing.
 *
 * @param options.after - the last token of the previous call; empty to start with the first one.
 * @returns the tokens with other values, and the last token of this call; empty at the end of the tokens.
 * @throws {NodeError} when no node executes the calls of any token.
 */
export async function markChangedTokens(
  db: Kysely<Database>,
  node: Pick<ChainNode, 'multicall' | 'getHead'>,
  chainId: number,
  { kind, after }: { readonly kind: CheckedTokens; readonly after: string },
  signal?: AbortSignal,
): Promise<{ readonly changed: readonly string[]; readonly last: string }> {
  const isChecked =
    kind === 'notable'
      ? sql<boolean>`is_notable and standard = 20`
      : sql<boolean>`
          (name is null or symbol is null or standard = 20 and decimals is null)
          and first_block >= ${await findFirstOfDay(db, chainId)}::bigint`
  const tokens = await db
    .selectFrom('tokens')
    .select(['address', 'name', 'symbol', 'decimals'])
    .where('chain_id', '=', chainId)
    .where(isChecked)
    .where('metadata', '<>', 'pending')
    .where('address', '>', fromHex(after || '0x'))
    .orderBy('address')
    .limit(batchSize)
    .execute()
  if (tokens.length === 0) {
    return { changed: [], last: '' }
  }
  const block = await node.getHead(signal)
  const contracts = tokens.map(({ address }) => ({ address: toHex(address) }))
  const results = await fetchTokenMetadata(node, contracts, block, signal)
  const [failure] = results
  if (failure instanceof NodeError && results.every((result) => result instanceof NodeError)) {
    throw failure
  }
  const changed = contracts.flatMap(({ address }, index) => {
    const stored = tokens[index]
    const read = results[index]
    if (!stored || !read || read instanceof NodeError) {
      return []
    }
    const isChanged = (['name', 'symbol', 'decimals'] as const).some((field) => {
      return read[field] !== null && read[field] !== stored[field]
    })
    return isChanged ? [address] : []
  })
  if (changed.length > 0) {
    await db.transaction().execute(async (transaction) => {
      await lockChainRow(transaction, chainId)
      await markTokensPending(transaction, chainId, changed)
    })
  }
  const last = tokens.length < batchSize ? '' : (contracts.at(-1)?.address ?? '')
  return { changed, last }
}

/** Finds the first block of the last day. As a subquery, the planner would take it for one that most tokens are after. */
async function findFirstOfDay(db: Kysely<Database>, chainId: number): Promise<number> {
  const { rows } = await sql<{ number: number }>`
    select number from blocks where chain_id = ${chainId}::bigint and time > (
      select indexed_time - ${sql.lit(secondsPerDay)} from chains where chain_id = ${chainId}::bigint
    )
    order by time, number limit 1`.execute(db)
  return rows[0]?.number ?? 0
}
