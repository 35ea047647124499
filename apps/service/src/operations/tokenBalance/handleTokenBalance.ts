import type { BalancesResponse, TokenBalanceParameters } from '@headwater/contract'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { ChainDependencies } from '../../store/ChangeIndex.ts'
import { compareAmounts } from '../Dependencies.ts'
import { loadNodeToken } from '../fromNode/loadNodeToken.ts'
import type { HandlerContext, OperationResult } from '../Handler.ts'
import { type ChainHeads, combineHeads, findHeads, getOnlyHead } from '../loadHeads.ts'
import { addCreationTimes } from '../pricedTokens/addCreationTimes.ts'
import { describeDepegs } from '../pricedTokens/describeDepegs.ts'
import {
  type FetchedHoldings,
  fetchHoldings,
  nodesUnavailable,
} from '../pricedTokens/fetchHoldings.ts'
import { loadAuditedBlocks } from '../pricedTokens/loadAuditedBlocks.ts'
import { loadToken } from '../pricedTokens/loadToken.ts'
import { findPriceDependencies, loadTokenPrices } from '../pricedTokens/loadTokenPrices.ts'
import { type PricedToken, priceToken, valueHolding } from '../pricedTokens/priceToken.ts'
import { toBalance } from '../pricedTokens/toBalance.ts'
import { getSingleChain } from '../requestedChains.ts'
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
  const { readStore, receivedAt, chainReader, priceCache, links } = context
  const { historicalPrices, metadata } = parameters
  const chain = getSingleChain(context)
  const wallet = parameters.address.toLowerCase()
  const address = parameters.tokenAddress.toLowerCase()

  const loaded = await readStore(async (snapshot) => {
    const found = await findHeads(snapshot, [chain], context)
    if (found.nodeBacked.length > 0) {
      return found
    }
    const requested = combineHeads([chain], [found])
    const { heads } = requested
    const token = await loadToken(snapshot, chain, address, 'token_address')
    const prices = await loadTokenPrices(snapshot, {
      chains: [chain],
      heads,
      tokens: [token],
      hours: historicalPrices,
      priceCache,
    })
    const books = await addCreationTimes(snapshot, [token], prices, metadata)
    const amount =
      token.address === 'native'
        ? undefined
        : await loadLedgerAmount(snapshot, chain.id, address, wallet)
    const priced = priceToken(token, books.get(chain.id)?.now ?? new Map())
    const findAuditedBlock = metadata?.includes('audit')
      ? await loadAuditedBlocks(snapshot, [token], heads)
      : undefined
    return { requested, priced, amount, books, findAuditedBlock }
  })
  const { requested, priced, amount, books, findAuditedBlock } =
    'priced' in loaded ? loaded : await loadFromNode(loaded, parameters, context)
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

  const warnings = describeDepegs(books)
  return {
    body: {
      wallet_address: wallet,
      balances: holdings.map((each) =>
        toBalance(each, {
          historicalPrices,
          metadata,
          books,
          current: books,
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
            chains: new Map([[chain.id, getDependencies(priced, wallet, books.get(chain.id))]]),
            isSameAt: compareAmounts(chainReader, wallet, fetched.amounts),
            isVolatile: metadata !== undefined,
          },
  }
}

const none: FetchedHoldings['amounts'] = new Map()

function getDependencies(
  { token }: PricedToken,
  wallet: string,
  book: PriceBook | undefined,
): ChainDependencies {
  const { address, chain } = token
  if (address === 'native') {
    const { wrappedNative } = chain
    return { prices: findPriceDependencies(wrappedNative ? [wrappedNative] : [], book) }
  }
  const prices = findPriceDependencies([address], book)
  return { holders: [wallet], contracts: [address], prices }
}

/** What the nodes of a chain return that is not indexed, or not completely. */
async function loadFromNode(
  found: ChainHeads,
  { tokenAddress, metadata, historicalPrices }: TokenBalanceParameters,
  context: HandlerContext,
) {
  const chain = getSingleChain(context)
  const address = tokenAddress.toLowerCase()
  const { requested, priced, books } = await loadNodeToken(
    found,
    { chain, address, param: 'token_address', hours: historicalPrices },
    context,
  )
  const findAuditedBlock = metadata?.includes('audit') && (() => getOnlyHead(requested).number)
  return {
    ...{ requested, priced, amount: undefined, books },
    findAuditedBlock: findAuditedBlock || undefined,
  }
}
