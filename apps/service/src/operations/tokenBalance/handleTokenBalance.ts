import type { BalancesResponse, TokenBalanceParameters } from '@headwater/contract'
import { loadPriceBooks } from '../../pricing/loadPriceBooks.ts'
import type { HandlerContext, OperationResult } from '../Handler.ts'
import { loadHead } from '../loadHead.ts'
import { nodesUnavailable } from '../nodesUnavailable.ts'
import { onlyChain } from '../onlyChain.ts'
import { valueHolding } from '../pricedTokens/Holding.ts'
import { loadToken } from '../pricedTokens/loadToken.ts'
import { priceRequests } from '../pricedTokens/priceRequests.ts'
import { priceToken } from '../pricedTokens/priceToken.ts'
import { readTrueAmounts } from '../pricedTokens/readTrueAmounts.ts'
import { toBalance } from '../pricedTokens/toBalance.ts'
import { loadAmount } from './loadAmount.ts'

/**
 * Answers `tokenBalance` at the chain's head block: what a wallet has of one token, also when that is nothing.
 *
 * @throws {ApiError} 404 for an address that is no ERC20 token; 503 while the chain's first indexing runs, or when
 *   no node tells an amount that only the chain does.
 */
export async function handleTokenBalance(
  parameters: TokenBalanceParameters,
  context: HandlerContext,
): Promise<OperationResult<BalancesResponse>> {
  const { readStore, receivedAt, chainReader, links } = context
  const { historicalPrices, metadata } = parameters
  const chain = onlyChain(context)
  const wallet = parameters.address.toLowerCase()
  const address = parameters.tokenAddress.toLowerCase()

  const { heads, priced, amount, books } = await readStore(async (snapshot) => {
    const heads = new Map([[chain.id, await loadHead(snapshot, chain)]])
    const token = await loadToken(snapshot, chain, address, 'token_address')
    const requests = priceRequests([chain], heads, [token])
    const books = await loadPriceBooks(
      snapshot,
      requests,
      historicalPrices ?? [],
      context.priceMemory,
    )
    const amount =
      address === 'native' ? undefined : await loadAmount(snapshot, chain.id, address, wallet)
    const priced = priceToken(token, books.get(chain.id)?.now ?? new Map())
    return { heads, priced, amount, books }
  })
  const holding =
    amount === undefined
      ? (await readTrueAmounts(chainReader, wallet, [priced], heads)).holdings[0]
      : valueHolding(priced, amount)
  if (!holding) {
    throw nodesUnavailable()
  }

  return {
    body: {
      wallet_address: wallet,
      balances: [toBalance(holding, { historicalPrices, metadata, books, links })],
      request_time: receivedAt.toISOString(),
      response_time: new Date().toISOString(),
    },
    blocks: [...heads].map(([chainId, { number }]) => ({ chainId, number })),
  }
}
