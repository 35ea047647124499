import {
  type Holder,
  tokenHolders,
  type TokenHoldersParameters,
  type TokenHoldersResponse,
} from '@headwater/contract'
import { ApiError } from '../ApiError.ts'
import { getSingleChain } from '../getSingleChain.ts'
import type { HandlerContext, OperationResult } from '../Handler.ts'
import { combineHeads, findHeads, getOnlyHead, type NodeHandover } from '../loadHeads.ts'
import { selectPage } from '../paging/selectPage.ts'
import { type HolderKey, type HolderRow, loadHolders } from './loadHolders.ts'
import { loadNodeHolders } from './loadNodeHolders.ts'
import { loadRankedToken } from './loadRankedToken.ts'

/** The index responds as soon as it is complete, also with older blocks than the nodes did. */
const handedOver: NodeHandover = { getServedBlock: () => undefined, handOver: () => {} }

/**
 * Handles `tokenHolders` at the chain's head block, from the ledger, or from the transfers that nodes return where the chain
 * is not indexed: ERC20 balances, or the number of tokens of an
 * ERC721 contract. If the ledger of a token differs from the chain, the balances are those of the last audit, and the
 * block of the response is the oldest one at which a balance of the page was read.
 *
 * @throws {ApiError} 404 for an address without an ERC20 or ERC721 token; 503 until the chain's initial indexing, the
 *   first audit of the token's holders, or the search of its transfers is complete.
 */
export async function handleTokenHolders(
  parameters: TokenHoldersParameters,
  context: HandlerContext,
): Promise<OperationResult<TokenHoldersResponse>> {
  const chain = getSingleChain(context)
  const token = parameters.address.toLowerCase()
  if (chain.nativeAliases.includes(token)) {
    throw new ApiError(
      404,
      'TOKEN_NOT_FOUND',
      `${token} is the native asset of chain ${chain.id}, whose holders are not indexed`,
      { param: 'address' },
    )
  }
  const { limit, after, finish } = selectPage<HolderKey>(
    tokenHolders,
    [chain.id, token],
    parameters,
    context.cursors,
  )

  const page = { chain, token, after, limit: limit + 1 }
  const load = async (nodeChains: NodeHandover) =>
    await context.readStore(async (snapshot) => {
      const found = await findHeads(snapshot, [chain], { ...context, nodeChains })
      if (found.nodeBacked.length > 0) {
        return found
      }
      const requested = combineHeads([chain], [found])
      const ranked = await loadRankedToken(snapshot, chain.id, token)
      const range = { chainId: chain.id, token, ...ranked, after, limit: limit + 1 }
      return { requested, ranked, holders: await loadHolders(snapshot, range) }
    })
  const loaded = await load(context.nodeChains)
  const loadIndexed = async () => {
    const indexed = await load(handedOver)
    return 'ranked' in indexed ? indexed : undefined
  }
  const { requested, ranked, holders } =
    'ranked' in loaded ? loaded : await loadNodeHolders(loaded, page, context, loadIndexed)

  const { entries, nextOffset } = finish(holders, ({ amount, holder }) => [amount, holder])
  const block = entries.reduce(
    (oldest, { read_block }) => Math.min(oldest, read_block ?? oldest),
    getOnlyHead(requested).number,
  )
  return {
    body: {
      token_address: token,
      chain_id: chain.id,
      holders: entries.map(toHolder),
      next_offset: nextOffset ?? null,
    },
    requested,
    blocks: [{ chainId: chain.id, number: block }],
    // Nodes name no changes.
    dependencies:
      ranked?.amountsFrom === 'ledger'
        ? { chains: new Map([[chain.id, { ledgers: [token], contracts: [token] }]]) }
        : undefined,
  }
}

export function toHolder(row: HolderRow): Holder {
  return {
    wallet_address: row.holder,
    balance: row.amount,
    ...(row.first_in_time !== null && { first_acquired: formatTime(row.first_in_time) }),
    ...(row.has_initiated !== null && { has_initiated_transfer: row.has_initiated }),
  }
}

/** ISO 8601 with the offset `+00:00`, as the specification defines this field. */
function formatTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}+00:00`
}
