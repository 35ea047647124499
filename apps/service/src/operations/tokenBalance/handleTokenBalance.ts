import type { BalancesResponse, TokenBalanceParameters } from '@headwater/contract'
import { compareAmounts } from '../Dependencies.ts'
import { loadNodeToken } from '../fromNode/loadNodeToken.ts'
import { getSingleChain } from '../getSingleChain.ts'
import type { HandlerContext, OperationResult } from '../Handler.ts'
import { type ChainHeads, getOnlyHead } from '../loadHeads.ts'
import { describePrices } from '../pricedTokens/describePrices.ts'
import {
  type FetchedHoldings,
  fetchHoldings,
  nodesUnavailable,
} from '../pricedTokens/fetchHoldings.ts'
import {
  getTokenDependencies,
  loadPricedToken,
  type TokenRequest,
} from '../pricedTokens/loadPricedToken.ts'
import { valueHolding } from '../pricedTokens/priceToken.ts'
import { toBalance } from '../pricedTokens/toBalance.ts'
import { loadLedgerAmount } from './loadLedgerAmount.ts'

/**
 * Handles `tokenBalance` at the chain's head block: a wallet's balance of one token, zero included.
 *
 * @throws {ApiError} 404 for an address without an ERC20 token; 503 when the balance must be read from
 *   nodes and none responds, and until the initial indexing is complete where nodes do not replace it. A contract that returns no
 *   balance is in `errors`.
 */
export async function handleTokenBalance(
  parameters: TokenBalanceParameters,
  context: HandlerContext,
): Promise<OperationResult<BalancesResponse>> {
  const { readStore, receivedAt, chainReader, links } = context
  const { historicalPrices, metadata } = parameters
  const chain = getSingleChain(context)
  const wallet = parameters.address.toLowerCase()
  const address = parameters.tokenAddress.toLowerCase()

  const request = { chain, address, param: 'token_address', hours: historicalPrices, metadata }
  const loaded = await readStore(async (snapshot) => {
    const stored = await loadPricedToken(snapshot, request, context)
    if (!('priced' in stored)) {
      return stored
    }
    const isNative = stored.priced.token.address === 'native'
    const amount = isNative
      ? undefined
      : await loadLedgerAmount(snapshot, chain.id, address, wallet)
    return { ...stored, amount }
  })
  const { requested, priced, amount, books, findAuditedBlock } =
    'priced' in loaded ? loaded : await loadFromNode(loaded, request, context)
  const fetched =
    amount === undefined
      ? await fetchHoldings(chainReader, wallet, [priced], requested.heads)
      : { holdings: [valueHolding(priced, amount)], errors: [], isComplete: true, amounts: none }
  if (!fetched.isComplete) {
    throw nodesUnavailable()
  }
  const { holdings, errors } = fetched
  const [holding] = holdings
  const token = priced.token.address
  if (holding && amount === undefined && token !== 'native' && holding.amount > 0n) {
    context.recordHolders(chain.id, [{ token, holder: wallet }])
  }

  const warnings = describePrices(books)
  return {
    body: {
      wallet_address: wallet,
      balances: holdings.map((each) =>
        toBalance(each, {
          historicalPrices,
          metadata,
          books,
          pastBooks: books,
          findAuditedBlock,
          links,
        }),
      ),
      ...(errors.length > 0 && {
        errors: { error_message: 'The balance could not be read', token_errors: errors },
      }),
      ...(warnings.length > 0 && { warnings }),
      request_time: receivedAt.toISOString(),
      response_time: new Date().toISOString(),
    },
    requested,
    // The audit compares amounts also while there is no new block.
    isComplete: !findAuditedBlock || findAuditedBlock(priced.token) !== undefined,
    // Nodes name no changes.
    dependencies:
      historicalPrices || findAuditedBlock || !('priced' in loaded)
        ? undefined
        : {
            chains: new Map([
              [
                chain.id,
                {
                  ...getTokenDependencies(priced.token, books.get(chain.id)),
                  ...(token !== 'native' && { holders: [wallet] }),
                },
              ],
            ]),
            isSameAt: compareAmounts(chainReader, wallet, fetched.amounts),
            isVolatile: metadata !== undefined,
          },
  }
}

const none: FetchedHoldings['amounts'] = new Map()

/** What the nodes of a chain return that is not indexed, or not completely. */
async function loadFromNode(found: ChainHeads, request: TokenRequest, context: HandlerContext) {
  const loaded = await loadNodeToken(found, request, context)
  const isAudited = request.metadata?.includes('audit')
  return {
    ...loaded,
    amount: undefined,
    findAuditedBlock: isAudited ? () => getOnlyHead(loaded.requested).number : undefined,
  }
}
