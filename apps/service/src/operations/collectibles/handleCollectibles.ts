import {
  collectibles,
  type CollectiblesParameters,
  type CollectiblesResponse,
} from '@headwater/contract'
import type { HandlerContext, OperationResult } from '../Handler.ts'
import { loadHeads } from '../loadHeads.ts'
import { unsupportedChainsWarning } from '../unsupportedChainsWarning.ts'
import { loadDetails } from './loadDetails.ts'
import { loadOwned } from './loadOwned.ts'
import { type CollectibleSortKey, compareCollectibles, sortKeyOf } from './OwnedCollectible.ts'
import { toEntry } from './toEntry.ts'

const { limit: page } = collectibles.paging

/**
 * Answers `collectibles` from the ledger of NFTs at the head block of each chain, with what was read of their metadata
 * so far.
 *
 * @throws {ApiError} 503 while a chain's first indexing runs.
 */
export async function handleCollectibles(
  parameters: CollectiblesParameters,
  context: HandlerContext,
): Promise<OperationResult<CollectiblesResponse>> {
  const { readStore, chains, cursors, receivedAt } = context
  const wallet = parameters.address.toLowerCase()
  const limit = Math.min(parameters.limit ?? page.default, page.maximum)
  const scope = [collectibles.name, wallet, chains.map(({ id }) => id)]
  const after = parameters.offset
    ? (cursors.read(scope, parameters.offset) as CollectibleSortKey | undefined)
    : undefined

  const { heads, owned, details } = await readStore(async (snapshot) => {
    const heads = await loadHeads(snapshot, chains)
    const owned = []
    for (const { id: chainId } of chains)
    // One more tells whether there is another page.
    {
      owned.push(...(await loadOwned(snapshot, { chainId, wallet, after, limit: limit + 1 })))
    }
    owned.sort(compareCollectibles)
    return { heads, owned, details: await loadDetails(snapshot, owned.slice(0, limit)) }
  })

  const unread = details.filter(({ details }) => details.is_unrequested)
  if (unread.length > 0) {
    context.requestCollectibles(
      unread.map(({ owned }) => ({ ...owned, tokenId: BigInt(owned.tokenId) })),
    )
  }

  const last = details.at(-1)?.owned
  const warning = unsupportedChainsWarning(context.unsupportedChainIds)
  return {
    body: {
      address: wallet,
      entries: details.map((detailed) => toEntry(detailed, chains, context.links)),
      ...(warning && { warnings: [warning] }),
      request_time: receivedAt.toISOString(),
      response_time: new Date().toISOString(),
      ...(last && owned.length > limit && { next_offset: cursors.write(scope, sortKeyOf(last)) }),
    },
    blocks: [...heads].map(([chainId, { number }]) => ({ chainId, number })),
  }
}
