import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { Head } from '../../store/Head.ts'
import { ApiError } from '../ApiError.ts'
import type { ChainReader } from '../ChainReader.ts'
import type { HandlerContext } from '../Handler.ts'
import { type ChainHeads, combineHeads, getOnlyHead } from '../loadHeads.ts'
import { type ChainToken, findNativeToken } from '../pricedTokens/ChainToken.ts'
import { nodesUnavailable } from '../pricedTokens/fetchHoldings.ts'
import type { TokenRequest } from '../pricedTokens/loadPricedToken.ts'
import { type PricedToken, priceToken } from '../pricedTokens/priceToken.ts'
import type { NodeChain } from './NodeChain.ts'

/** A token at the head of the nodes of a chain. */
interface NodeToken {
  readonly requested: ChainHeads
  readonly priced: PricedToken
  readonly books: ReadonlyMap<number, PriceBook>
}

/**
 * Reads a token and its price from the nodes of a chain that is not indexed, or not completely.
 *
 * @param requested - the chain as its store has it.
 * @throws {ApiError} 404 for an address without an ERC20 token; 503 when no node responds.
 */
export async function loadNodeToken(
  requested: ChainHeads,
  request: Omit<TokenRequest, 'metadata'>,
  { nodeChains, chainReader }: Pick<HandlerContext, 'nodeChains' | 'chainReader'>,
): Promise<NodeToken> {
  const { chain, address, hours } = request
  const heads = combineHeads([chain], [requested, await nodeChains.findHeads(requested.nodeBacked)])
  const head = getOnlyHead(heads)
  const node = nodeChains.get(chain.id)
  const token =
    findNativeToken(chain, address) ?? (await readToken(request, head, { node, chainReader }))
  const loaded = await node.loadPrices([token], head, hours)
  if (!loaded) {
    throw nodesUnavailable()
  }
  return {
    requested: heads,
    priced: priceToken(token, loaded.now),
    books: new Map([[chain.id, loaded]]),
  }
}

async function readToken(
  { chain, address, param }: Pick<TokenRequest, 'chain' | 'address' | 'param'>,
  head: Head,
  { node, chainReader }: { readonly node: NodeChain; readonly chainReader: ChainReader },
): Promise<ChainToken> {
  const found = await node.tokens.read([address], head)
  const metadata = found.get(address)
  if (found.has(address) && !metadata) {
    throw nodesUnavailable()
  }
  // An account returns nothing, and neither does a contract of another kind.
  const isToken =
    metadata?.decimals !== undefined ||
    (metadata && typeof (await chainReader.totalSupply(chain.id, address, head)) === 'bigint')
  if (!metadata || !isToken) {
    const message = `Chain ${chain.id} has no ERC20 token ${address}`
    throw new ApiError(404, 'TOKEN_NOT_FOUND', message, { param })
  }
  return { chain, address, ...metadata }
}
