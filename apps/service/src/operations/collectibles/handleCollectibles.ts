import { formatUnits } from 'viem/utils'
import {
  type Collectible,
  collectibles,
  type CollectiblesParameters,
  type CollectiblesResponse,
} from '@headwater/contract'
import type { ChainConfig } from '../../config/Config.ts'
import type { MediaLinks } from '../../media/MediaLinks.ts'
import type { ChainDependencies } from '../../store/ChangeIndex.ts'
import type { HandlerContext, OperationResult } from '../Handler.ts'
import { type ChainHeads, combineHeads, findHeads } from '../loadHeads.ts'
import { selectPage } from '../paging/selectPage.ts'
import { type DetailedCollectible, loadDetails } from './loadDetails.ts'
import { loadNodeCollectibles } from './loadNodeCollectibles.ts'
import {
  type CollectibleSortKey,
  compareCollectibles,
  loadOwned,
  type OwnedCollectible,
} from './loadOwned.ts'

/**
 * Handles `collectibles` from the ledger of NFTs at the head block of each chain, with the metadata that is loaded so
 * far. On a chain that is not indexed, or not completely, NFTs are those of the wallet's transfers that its nodes confirm.
 *
 * @throws {ApiError} 503 when no chain is available.
 */
export async function handleCollectibles(
  parameters: CollectiblesParameters,
  context: HandlerContext,
): Promise<OperationResult<CollectiblesResponse>> {
  const { chains, receivedAt } = context
  const wallet = parameters.address.toLowerCase()
  const { limit, after, finish } = selectPage<CollectibleSortKey>(
    collectibles,
    // Also while a chain is unavailable, so that paging continues.
    [wallet, chains.map(({ id }) => id)],
    parameters,
    context.cursors,
  )

  const { results: stored, unreachable } = await context.readStores(async (snapshot, chains) => {
    const requested = await findHeads(snapshot, chains, context)
    const owned: OwnedCollectible[] = []
    for (const { id: chainId } of requested.chains) {
      owned.push(...(await loadOwned(snapshot, { chainId, wallet, after, limit: limit + 1 })))
    }
    const listed = owned.sort(compareCollectibles).slice(0, limit + 1)
    return { requested, detailed: await loadDetails(snapshot, listed) }
  })
  const fromNodes = await loadNodeCollectibles(
    wallet,
    stored.flatMap((result) => result.requested.nodeBacked),
    { after, limit: limit + 1 },
    context,
  )
  const results = [...stored, fromNodes]
  const requested = combineHeads(
    chains,
    results.map((result) => result.requested),
    unreachable,
  )
  const { entries: detailed, nextOffset } = finish(
    results
      .flatMap((result) => result.detailed)
      .sort((a, b) => compareCollectibles(a.owned, b.owned)),
    ({ owned: { time, chainId, contract, tokenId } }) => [time, chainId, contract, tokenId],
  )

  const unrequested = detailed.filter(({ details }) => details.is_unrequested)
  if (unrequested.length > 0) {
    context.requestCollectibles(
      unrequested.map(({ owned }) => ({ ...owned, tokenId: BigInt(owned.tokenId) })),
    )
  }

  return {
    body: {
      address: wallet,
      entries: detailed.map((collectible) => toEntry(collectible, chains, context.links)),
      request_time: receivedAt.toISOString(),
      response_time: new Date().toISOString(),
      ...(fromNodes.warnings.length > 0 && { warnings: [...fromNodes.warnings] }),
      ...(nextOffset !== undefined && { next_offset: nextOffset }),
    },
    requested,
    isComplete: fromNodes.isComplete,
    // Nodes name no changes.
    dependencies:
      fromNodes.requested.chains.length > 0
        ? undefined
        : {
            chains: getDependencies(requested, wallet, detailed),
            // A contract may be found not to have NFTs, or to have some.
            isVolatile: true,
          },
  }
}

/** The rows of the wallet, the contracts, and the events of NFTs whose standard depends on these, by chain id. */
function getDependencies(
  { chains }: ChainHeads,
  wallet: string,
  detailed: readonly DetailedCollectible[],
): Map<number, ChainDependencies> {
  const getContracts = (listed: readonly DetailedCollectible[]) => [
    ...new Set(listed.map(({ owned }) => owned.contract)),
  ]
  return new Map(
    chains.map(({ id }) => {
      const ofChain = detailed.filter(({ owned }) => owned.chainId === id)
      const ofEvents = ofChain.filter(({ details }) => details.is_standard_of_nft)
      const contracts = getContracts(ofChain)
      return [id, { holders: [wallet], ledgers: getContracts(ofEvents), contracts }]
    }),
  )
}

/** Converts an NFT to an entry of the response. Unknown values are omitted. */
function toEntry(
  { owned, details }: DetailedCollectible,
  chains: readonly ChainConfig[],
  links: Pick<MediaLinks, 'image'>,
): Collectible {
  const { chainId, contract, tokenId, amount, time } = owned
  const { standard, symbol, sale_price, uri, name, description, attributes } = details
  const chain = chains.find(({ id }) => id === chainId)
  return {
    contract_address: contract,
    token_standard: standard === 1155 ? 'ERC1155' : 'ERC721',
    token_id: tokenId,
    ...(chain && { chain: chain.name }),
    chain_id: chainId,
    ...(name !== null && { name }),
    ...(description !== null && { description }),
    ...(symbol !== null && { symbol }),
    ...(details.has_image && { image_url: links.image(chainId, contract, tokenId) }),
    ...(sale_price !== null &&
      chain && {
        last_sale_price: formatUnits(BigInt(sale_price), chain.nativeCurrency.decimals),
      }),
    ...((uri !== null || attributes !== null) && {
      metadata: {
        ...(uri !== null && { uri }),
        ...(attributes !== null && { attributes: [...attributes] }),
      },
    }),
    balance: amount,
    last_acquired: `${new Date(time * 1000).toISOString().slice(0, 19)}Z`,
  }
}
