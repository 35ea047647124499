import { type Kysely, sql } from 'kysely'
import { zeroAddress } from '../indexing/decode/words.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { BlockRef } from '../rpc/methods/BlockHeader.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import type { Database } from '../store/Database.ts'
import { fromHex, toHex } from '../store/hex.ts'
import type { ContractSource } from './callContracts.ts'
import { fetchTokenMetadata, type TokenContract, type TokenMetadata } from './fetchTokenMetadata.ts'
import { selectFirstHash } from './selectFirstHash.ts'
import { writeTokenMetadata } from './writeTokenMetadata.ts'

const batchSize = 50
/** The ids of a contract among which one with an owner is searched. */
const maxSampledIds = 100
/** Tokens that failed before are read in a request each, so that a token cannot fail because of another one. */
const maxSingleRequests = 5

/**
 * Reads the metadata of pending tokens from their contracts, and writes it. A token with calls that no node executes
 * stays pending, behind the tokens never tried. It fails when that happens repeatedly while the calls of other tokens
 * succeed.
 *
 * The calls are of the latest block of the node; pruned nodes have its state as well. The block is given by its hash,
 * so that a node that is behind rejects the call instead of returning that there is no contract.
 *
 * @param ownerFunctions - as in `AuditOptions`.
 * @returns the number of tokens that were read; 0 when none is pending.
 * @throws {NodeError} when no token could be read.
 */
export async function fillPendingTokens(
  db: Kysely<Database>,
  node: ChainNode,
  chainId: number,
  signal?: AbortSignal,
  ownerFunctions: ReadonlyMap<string, string> = new Map(),
): Promise<number> {
  const selectPending = () =>
    db
      .selectFrom('tokens')
      .select(['address', 'attempts', 'events'])
      .where('chain_id', '=', chainId)
      .where('metadata', '=', 'pending')
  if (!(await selectPending().limit(1).executeTakeFirst())) {
    return 0
  }
  const block = await node.getHead(signal)
  // With the id of an ERC721 token that has an owner.
  const pending = await selectPending()
    .select([
      selectFirstHash('tokens').as('first_hash'),
      sql<string | null>`(
        select token_id from (
          select token_id, owner from collectibles
          where collectibles.chain_id = tokens.chain_id and contract = address
          order by token_id desc limit ${sql.lit(maxSampledIds)}
        ) sampled where owner <> ${fromHex(zeroAddress)} limit 1
      )`.as('token_id'),
    ])
    .where('first_block', '<=', block.number)
    .orderBy('attempts')
    .orderBy('first_block')
    .limit(batchSize)
    .execute()

  const toContract = ({ address, token_id }: (typeof pending)[number]): TokenContract => ({
    address: toHex(address),
    tokenId: token_id === null ? undefined : BigInt(token_id),
    ownerFunction: ownerFunctions.get(toHex(address)),
  })
  const isNew = ({ attempts }: (typeof pending)[number]) => attempts === 0
  const results = await readTokens(node, pending.filter(isNew).map(toContract), block, signal)
  const retried = pending.filter((token) => !isNew(token)).slice(0, maxSingleRequests)
  for (const token of retried) {
    results.push(...(await readTokens(node, [toContract(token)], block, signal)))
  }
  signal?.throwIfAborted()

  const rows = new Map(pending.map((row) => [toHex(row.address), row]))
  const read = results.flatMap(({ token, metadata }) => {
    const { events = 0, first_hash: firstHash = null } = rows.get(token) ?? {}
    return metadata ? [{ token, ...metadata, events, firstHash }] : []
  })
  const failed = results.filter(({ metadata }) => !metadata)
  await writeTokenMetadata(
    db,
    chainId,
    read,
    failed.map(({ token }) => token),
  )
  if (read.length === 0 && failed[0]) {
    throw failed[0].error
  }
  return read.length
}

/** The result for a token: its metadata or an error. */
interface TokenResult {
  readonly token: string
  readonly metadata?: TokenMetadata | undefined
  readonly error?: unknown
}

async function readTokens(
  node: ContractSource,
  contracts: readonly TokenContract[],
  block: BlockRef,
  signal?: AbortSignal,
): Promise<TokenResult[]> {
  const results = await fetchTokenMetadata(node, contracts, block, signal)
  return contracts.map(({ address: token }, index) => {
    const result = results[index]
    return result instanceof NodeError ? { token, error: result } : { token, metadata: result }
  })
}
