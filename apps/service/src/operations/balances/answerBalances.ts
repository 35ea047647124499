import { balances, type BalancesParameters, type BalancesResponse } from '@headwater/contract'
import { loadPriceBooks } from '../../pricing/loadPriceBooks.ts'
import type { Answer, AnswerContext } from '../Answer.ts'
import { loadHeads } from '../loadHeads.ts'
import { readSnapshot } from '../readSnapshot.ts'
import { RefusalError } from '../RefusalError.ts'
import { unsupportedChainsWarning } from '../unsupportedChainsWarning.ts'
import { compareByValue, type SortKey } from './compareByValue.ts'
import { isSpam } from './isSpam.ts'
import { type Entry, loadPricedTokens, toEntry } from './loadPricedTokens.ts'
import { priceHolding } from './priceHolding.ts'
import { priceRequests } from './priceRequests.ts'
import { readNativeHoldings } from './readNativeHoldings.ts'
import { toBalance } from './toBalance.ts'

const { limit: page } = balances.list

/**
 * Answers `balances`: ERC20 amounts from the ledger and native amounts from the nodes, all at the head block of each
 * chain, which the answer names.
 *
 * @throws {RefusalError} 503 while a chain's first indexing runs, or when only native assets are asked for and no
 *   node tells any.
 */
export async function answerBalances(
  parameters: BalancesParameters,
  context: AnswerContext,
): Promise<Answer<BalancesResponse>> {
  const { db, chains, cursors, receivedAt } = context
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
  const isListed = ({ priced, key }: Entry) =>
    !(parameters.excludeSpamTokens && isSpam(priced)) &&
    (after === undefined || compareByValue(key, after) > 0)

  const { heads, tokens, nativePrices, books } = await readSnapshot(db, async (snapshot) => {
    const heads = await loadHeads(snapshot, chains)
    const holder = filters === 'native' ? undefined : wallet
    const { entries, nativePrices } = await context.headCache.recall(
      heads,
      [balances.name, holder],
      () => loadPricedTokens(snapshot, chains, heads, holder),
    )
    // One more tells whether there is another page. Native assets only push tokens off this one.
    const tokens = entries.filter(isListed).slice(0, limit + 1)
    const books = historicalPrices
      ? await loadPriceBooks(
          snapshot,
          priceRequests(
            chains,
            heads,
            tokens.map(({ priced }) => priced.holding),
          ),
          historicalPrices,
        )
      : undefined
    return { heads, tokens, nativePrices, books }
  })
  const natives =
    filters === 'erc20'
      ? { holdings: [], errors: [] }
      : await readNativeHoldings(context.readNativeBalance, chains, heads, wallet)
  if (filters === 'native' && chains.length > 0 && natives.errors.length === chains.length)
    throw new RefusalError(
      503,
      'NODES_UNAVAILABLE',
      'No node of the chains asked for answers now',
      {
        retryAfterSeconds: 5,
      },
    )

  const nativeEntries = natives.holdings
    .map((holding) =>
      toEntry(priceHolding(holding, nativePrices.get(holding.chain.id) ?? new Map())),
    )
    .filter(isListed)
  const entries = [...tokens, ...nativeEntries].sort((a, b) => compareByValue(a.key, b.key))
  const shown = entries.slice(0, limit)
  const last = shown.at(-1)

  const warning = unsupportedChainsWarning(context.unsupportedChainIds)
  const body: BalancesResponse = {
    wallet_address: wallet,
    balances: shown.map(({ priced }) =>
      toBalance(priced, books?.get(priced.holding.chain.id), { historicalPrices, metadata }),
    ),
    ...(natives.errors.length > 0 && {
      errors: {
        error_message: 'Some balances could not be read',
        token_errors: natives.errors,
      },
    }),
    ...(warning && { warnings: [warning] }),
    ...(last && entries.length > limit && { next_offset: cursors.write(scope, last.key) }),
    request_time: receivedAt.toISOString(),
    response_time: new Date().toISOString(),
  }
  return {
    body,
    blocks: [...heads].map(([chainId, { number }]) => ({ chainId, number })),
  }
}
