import { balances, type BalancesParameters, type BalancesResponse } from '@headwater/contract'
import { loadPriceBooks } from '../../pricing/loadPriceBooks.ts'
import type { HandlerContext, OperationResult } from '../Handler.ts'
import { loadHeads } from '../loadHeads.ts'
import { nodesUnavailable } from '../nodesUnavailable.ts'
import { priceRequests } from '../pricedTokens/priceRequests.ts'
import { readTrueAmounts } from '../pricedTokens/readTrueAmounts.ts'
import { toBalance } from '../pricedTokens/toBalance.ts'
import { unsupportedChainsWarning } from '../unsupportedChainsWarning.ts'
import { compareByValue, type Entry, type SortKey, toEntry } from './compareByValue.ts'
import { isSpam } from './isSpam.ts'
import { limitReads } from './limitReads.ts'
import { loadUnpriced } from './loadUnpriced.ts'
import { loadWallet } from './loadWallet.ts'
import { takePage } from './takePage.ts'

const { limit: page } = balances.paging

/**
 * Answers `balances`: ERC20 amounts from the ledger; native amounts, and those of tokens whose ledger disagreed with the
 * chain, from the nodes; all at the head block of each chain, which the answer names.
 *
 * @throws {ApiError} 503 while a chain's first indexing runs, or when only native assets are asked for and no
 *   node tells any.
 */
export async function handleBalances(
  parameters: BalancesParameters,
  context: HandlerContext,
): Promise<OperationResult<BalancesResponse>> {
  const { readStore, chains, cursors, receivedAt, chainReader, links } = context
  const { filters, historicalPrices, metadata } = parameters
  const wallet = parameters.address.toLowerCase()
  const limit = Math.min(parameters.limit ?? page.default, page.maximum)

  const scope = [
    balances.name,
    wallet,
    chains.map(({ id }) => id),
    filters,
    parameters.excludeSpamTokens ?? false,
  ]
  const after = parameters.offset
    ? (cursors.read(scope, parameters.offset) as SortKey | undefined)
    : undefined
  const isListed = ({ holding }: Entry) => !(parameters.excludeSpamTokens && isSpam(holding))

  const { heads, known, unread, books } = await readStore(async (snapshot) => {
    const heads = await loadHeads(snapshot, chains)
    const holder = filters === 'native' ? undefined : wallet
    const worth = await context.headCache.recall(heads, [balances.name, holder], () =>
      loadWallet(snapshot, chains, heads, holder, context.priceMemory),
    )
    const { unread } = worth
    // One more tells whether there is another page. What is read from the chain only pushes entries off this one.
    const known = takePage(worth.entries, isListed, after, limit + 1)
    // To who wants no spam, the unpriced tokens are none.
    const missing = parameters.excludeSpamTokens ? 0 : limit + 1 - known.length
    if (missing > 0 && holder !== undefined) {
      known.push(...(await loadUnpriced(snapshot, chains, holder, worth, after, missing)))
    }
    const tokens = [...known.map(({ holding }) => holding), ...unread].map(({ token }) => token)
    const books = historicalPrices
      ? await loadPriceBooks(
          snapshot,
          priceRequests(chains, heads, tokens),
          historicalPrices,
          context.priceMemory,
        )
      : undefined
    return { heads, known, unread, books }
  })
  const wanted = unread.filter(
    (priced) =>
      !(filters === 'erc20' && priced.token.address === 'native') &&
      !(parameters.excludeSpamTokens && isSpam(priced)),
  )
  const reads = limitReads(wanted.filter(({ token }) => token.address !== 'native'))
  const assets = [...wanted.filter(({ token }) => token.address === 'native'), ...reads.read]
  const read = await readTrueAmounts(chainReader, wallet, assets, heads)
  if (filters === 'native' && wanted.length > 0 && read.errors.length === wanted.length) {
    throw nodesUnavailable()
  }
  const errors = [...read.errors, ...reads.errors]

  const readEntries = read.holdings
    .filter(({ amount }) => amount > 0n)
    .map(toEntry)
    .filter((entry) => isListed(entry) && (!after || compareByValue(entry.key, after) > 0))
  const entries = [...known, ...readEntries].sort((a, b) => compareByValue(a.key, b.key))
  const shown = entries.slice(0, limit)
  const last = shown.at(-1)

  const warning = unsupportedChainsWarning(context.unsupportedChainIds)
  const extras = { historicalPrices, metadata, books, links }
  const body: BalancesResponse = {
    wallet_address: wallet,
    balances: shown.map(({ holding }) => toBalance(holding, extras)),
    ...(errors.length > 0 && {
      errors: { error_message: 'Some balances could not be read', token_errors: errors },
    }),
    ...(warning && { warnings: [warning] }),
    ...(last && entries.length > limit && { next_offset: cursors.write(scope, last.key) }),
    request_time: receivedAt.toISOString(),
    response_time: new Date().toISOString(),
  }
  return {
    body,
    blocks: [...heads].map(([chainId, { number }]) => ({ chainId, number })),
    isWhole: read.isWhole,
  }
}
