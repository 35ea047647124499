import type { Kysely } from 'kysely'
import type { ReadUri } from '../media/createUriReader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import type { Database } from '../store/Database.ts'
import { fetchTokenUris } from './fetchTokenUris.ts'
import { type CollectibleQueue, loadDueCollectibles } from './loadDueCollectibles.ts'
import { type CollectibleOutcome, readDocument } from './readDocument.ts'
import { writeCollectibles } from './writeCollectibles.ts'

const failed: CollectibleOutcome = { state: 'failed' }
const missed: CollectibleOutcome = { state: 'missed' }
const postponed: CollectibleOutcome = { state: 'postponed' }

interface FillOptions {
  readonly db: Kysely<Database>
  readonly node: Pick<ChainNode, 'multicall' | 'getHead'>
  readonly chainId: number
  readonly readUri: ReadUri
  readonly queue: CollectibleQueue
  /** The contract at which the previous run stopped. */
  readonly after: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Fetches and writes the metadata of some NFTs of a queue. An NFT with an unavailable document is retried
 * with growing delays, and fails in the end.
 *
 * @returns how many NFTs were read, and the contract at which this run stopped; empty at the end of the contracts.
 * @throws {NodeError} when the calls of all NFTs failed; the NFTs are postponed.
 */
export async function fillPendingCollectibles({
  db,
  node,
  chainId,
  readUri,
  queue,
  after,
  signal,
}: FillOptions): Promise<{ readonly readCount: number; readonly last: string }> {
  const { picked, last } = await loadDueCollectibles(db, chainId, queue, after)
  if (picked.length === 0) {
    return { readCount: 0, last }
  }
  const block = await node.getHead(signal)
  // This node may be behind the one that was indexed from.
  const existing = picked.filter(({ firstBlock }) => firstBlock <= block.number)
  const uris = await fetchTokenUris(node, existing, block, signal)
  const error = uris.find((uri) => uri instanceof NodeError)
  const isNodeDown = error !== undefined && uris.every((uri) => uri instanceof NodeError)
  const outcomes = await Promise.all(
    existing.map(async (collectible, index) => {
      const uri = uris[index]
      if (uri instanceof NodeError) {
        return { collectible, outcome: isNodeDown ? postponed : missed }
      }
      if (uri === undefined) {
        return { collectible, outcome: failed }
      }
      return { collectible, outcome: await readDocument(readUri, uri, signal) }
    }),
  )
  await writeCollectibles(db, chainId, outcomes)
  if (isNodeDown) {
    throw error
  }
  return { readCount: outcomes.length, last }
}
