import type { Kysely } from 'kysely'
import type { ReadUri } from '../media/createUriReader.ts'
import type { ChainNode } from '../rpc/ChainNode.ts'
import type { Database } from '../store/Database.ts'
import { type Lane, pickCollectibles } from './pickCollectibles.ts'
import { readCollectible, type CollectibleOutcome } from './readCollectible.ts'
import { writeCollectibles } from './writeCollectibles.ts'

interface FillOptions {
  readonly db: Kysely<Database>
  readonly node: Pick<ChainNode, 'callAt' | 'getHead'>
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
  if (picked.length === 0) return { asked: 0, last }
  const block = await node.getHead(signal)
  let failure: unknown
  const asked = await Promise.all(
    picked
      // The node may be behind the one that was indexed from.
      .filter(({ firstBlock }) => firstBlock <= block.number)
      .map(async (collectible) => {
        try {
          const outcome = await readCollectible(node, readUri, collectible, block, signal)
          return { collectible, outcome, isAnswered: true }
        } catch (error) {
          failure = error
          const outcome: CollectibleOutcome = { state: 'missed' }
          return { collectible, outcome, isAnswered: false }
        }
      }),
  )
  signal?.throwIfAborted()
  const isAway = failure !== undefined && !asked.some(({ isAnswered }) => isAnswered)
  const postponed: CollectibleOutcome = { state: 'postponed' }
  await writeCollectibles(
    db,
    chainId,
    isAway ? asked.map(({ collectible }) => ({ collectible, outcome: postponed })) : asked,
  )
  if (isAway) throw failure
  return { asked: asked.length, last }
}
