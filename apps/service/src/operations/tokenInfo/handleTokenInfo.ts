import type { TokenInfoParameters, TokenInfoResponse } from '@headwater/contract'
import { loadPriceBooks } from '../../pricing/loadPriceBooks.ts'
import type { HandlerContext, OperationResult } from '../Handler.ts'
import { loadHead } from '../loadHead.ts'
import { onlyChain } from '../onlyChain.ts'
import { historicalPrices } from '../pricedTokens/historicalPrices.ts'
import { loadToken } from '../pricedTokens/loadToken.ts'
import { priceRequests } from '../pricedTokens/priceRequests.ts'
import { priceToken } from '../pricedTokens/priceToken.ts'
import { toToken } from './toToken.ts'

/**
 * Answers `tokenInfo` at the chain's head block: texts and price from the store, the supply from the nodes. There is one
 * entry, so no `next_offset` is ever given, and any `offset` has no effect.
 *
 * @throws {ApiError} 404 for an address that is no ERC20 token, 503 while the chain's first indexing runs.
 */
export async function handleTokenInfo(
  parameters: TokenInfoParameters,
  context: HandlerContext,
): Promise<OperationResult<TokenInfoResponse>> {
  const { readStore, chainReader, links } = context
  const chain = onlyChain(context)
  const address = parameters.address.toLowerCase()
  const hours = parameters.historicalPrices

  const { head, token, book } = await readStore(async (snapshot) => {
    const head = await loadHead(snapshot, chain)
    const token = await loadToken(snapshot, chain, address, 'address')
    const requests = priceRequests([chain], new Map([[chain.id, head]]), [token])
    const books = await loadPriceBooks(snapshot, requests, hours ?? [], context.priceMemory)
    return { head, token, book: books.get(chain.id) }
  })
  const isShown = parameters.limit !== 0
  const supply =
    isShown && address !== 'native'
      ? await chainReader.totalSupply(chain.id, address, head)
      : 'none'
  const shown = toToken(priceToken(token, book?.now ?? new Map()), {
    logo: links.logo(chain.id, address),
    totalSupply: supply === 'none' ? undefined : supply,
    historicalPrices: hours && historicalPrices(token, hours, book),
  })
  return {
    body: { contract_address: address, tokens: isShown ? [shown] : [] },
    blocks: [{ chainId: chain.id, number: head.number }],
    isWhole: supply !== undefined,
  }
}
