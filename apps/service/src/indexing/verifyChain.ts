import type { Kysely } from 'kysely'
import type { ChainConfig } from '../config/Config.ts'
import { hubsOf } from '../pricing/hubsOf.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { NodeError } from '../rpc/NodeError.ts'
import type { Database } from '../store/Database.ts'
import { fromHex } from '../store/hex.ts'
import { describeScopeChange } from './describeScopeChange.ts'
import { IndexingError } from './IndexingError.ts'
import { type Cursor, readCursor } from './readCursor.ts'

/**
 * Makes sure that nodes, store and configuration speak of the same chain, and enters it in the store when it is new.
 *
 * @returns where to go on.
 * @throws {IndexingError} when they do not; the message names the way out.
 * @throws {NodeError} when a node does not answer, or contradicts both the store and another node.
 */
export async function verifyChain(
  db: Kysely<Database>,
  node: ChainNode,
  chain: ChainConfig,
  signal?: AbortSignal,
): Promise<Cursor> {
  const [chainId, genesis] = await Promise.all([
    node.getChainId(signal),
    node.findHeader(0, signal),
  ])
  if (chainId !== chain.id) {
    if (await node.anyServes(chain.id, signal)) throw outvoted(`serves chain ${chainId}`)
    throw new IndexingError(
      `The node configured for chain ${chain.id} (${chain.name}) serves chain ${chainId}: correct its rpcUrls`,
    )
  }
  if (!genesis) throw new NodeError('The node has no block 0', { kind: 'mismatch' })
  const scope = scopeOf(chain)
  await db
    .insertInto('chains')
    .values({ chain_id: chain.id, genesis_hash: fromHex(genesis.hash), scope })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const cursor = await readCursor(db, chain.id)
  if (!cursor) throw new Error(`The row of chain ${chain.id} is gone`)
  if (cursor.genesisHash !== genesis.hash) {
    if (await node.anyHas({ number: 0, hash: cursor.genesisHash }, signal))
      throw outvoted(`has genesis ${genesis.hash}`)
    throw new IndexingError(
      `Chain ${chain.id} (${chain.name}) was replaced by another: the store was made from genesis ${cursor.genesisHash}, the node has ${genesis.hash}. Delete the data folder or database, or choose another with --data`,
    )
  }
  if (cursor.scope !== scope)
    throw new IndexingError(
      `The store of chain ${chain.id} (${chain.name}) was made with other settings of what is indexed, so that rows would be missing; an update may have brought other defaults. To keep it, write the chain into the configuration file ${describeScopeChange(cursor.scope, scope)}. Or choose another data folder with --data`,
    )
  return cursor
}

/** One node is wrong, not the store: others agree with it. It rests, and what it was asked is asked again. */
export function outvoted(what: string): NodeError {
  return new NodeError(`A node ${what}, unlike what is indexed and other nodes have`, {
    kind: 'mismatch',
  })
}

/** What decides which rows there are, in one order. */
function scopeOf(chain: ChainConfig): string {
  const { startBlock, wrappedNative, wrappedNativeEmitsTransfers, tokens } = chain
  return JSON.stringify({
    startBlock,
    wrappedNative,
    wrappedNativeEmitsTransfers,
    uniswapV2Factories: chain.uniswapV2Factories.toSorted(),
    uniswapV3Factories: chain.uniswapV3Factories.toSorted(),
    marketplaces: chain.marketplaces.toSorted(),
    // Of all tokens all pools are followed; of some, those that lead from them to USD.
    ...(tokens.length > 0 && { tokens: tokens.toSorted(), hubs: [...hubsOf(chain)].toSorted() }),
  })
}
