import type { Kysely } from 'kysely'
import type { ReadUri } from '../media/createUriReader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import { NodeError } from '../rpc/transport/NodeError.ts'
import type { Database } from '../store/Database.ts'
import { type Lane, pickCollectibles } from './pickCollectibles.ts'
import { type CollectibleOutcome, readDocument } from './readDocument.ts'
import { readTokenUris } from './readTokenUris.ts'
import { writeCollectibles } from './writeCollectibles.ts'

const failed: CollectibleOutcome = { state: 'failed' }
const missed: CollectibleOutcome = { state: 'missed' }
const postponed: CollectibleOutcome = { state: 'postponed' }

interface FillOptions {
  readonly db: Kysely<Database>
  readonly node: Pick<ChainNode, 'multicall' | 'getHead'>
  readonly chainId: number
  readonly readUri: ReadUri
  readonly lane: Lane
  /** Who had the last turn, as an earlier run told. */
  readonly after: string
  readonly signal?: AbortSignal | undefined
}

/**
 * Reads the documents of some NFTs that wait, and writes what they tell. One whose document is not there waits on, longer
 * each time, and is given up in the end.
 *
 * @returns how many were asked for, and which contract had the last turn; empty when all had theirs.
 * @throws {NodeError} when the node answered for none of them; they wait on, behind the others.
 */
export async function fillPendingCollectibles({
  db,
  node,
  chainId,
  readUri,
  lane,
  after,
  signal,
}: FillOptions): Promise<{ readonly asked: number; readonly last: string }> {
  const { picked, last } = await pickCollectibles(db, chainId, lane, after)
  if (picked.length === 0) {
    return { asked: 0, last }
  }
  const block = await node.getHead(signal)
  // The node may be behind the one that was indexed from.
  const known = picked.filter(({ firstBlock }) => firstBlock <= block.number)
  const uris = await readTokenUris(node, known, block, signal)
  const failure = uris.find((uri) => uri instanceof NodeError)
  const isAway = failure !== undefined && uris.every((uri) => uri instanceof NodeError)
  const asked = await Promise.all(
    known.map(async (collectible, index) => {
      const uri = uris[index]
      if (uri instanceof NodeError) {
        return { collectible, outcome: isAway ? postponed : missed }
      }
      if (uri === undefined) {
        return { collectible, outcome: failed }
      }
      return { collectible, outcome: await readDocument(readUri, uri, signal) }
    }),
  )
  await writeCollectibles(db, chainId, asked)
  if (isAway) {
    throw failure
  }
  return { asked: asked.length, last }
}
