import { balances, type BalancesParameters, type BalancesResponse } from '@headwater/contract'
import type { PriceBook } from '../../pricing/PriceBook.ts'
import type { ChainDependencies } from '../../store/ChangeIndex.ts'
import { compareAmounts } from '../Dependencies.ts'
import type { HandlerContext, OperationResult } from '../Handler.ts'
import { type ChainHeads, combineHeads, findHeads } from '../loadHeads.ts'
import { selectPage } from '../paging/selectPage.ts'
import type { ChainToken } from '../pricedTokens/ChainToken.ts'
import { describeDepegs } from '../pricedTokens/describeDepegs.ts'
import { nodesUnavailable } from '../pricedTokens/fetchHoldings.ts'
import { type FindAuditedBlock, loadAuditedBlocks } from '../pricedTokens/loadAuditedBlocks.ts'
import { loadTokenPrices } from '../pricedTokens/loadTokenPrices.ts'
import type { PricedToken } from '../pricedTokens/priceToken.ts'
import { toBalance } from '../pricedTokens/toBalance.ts'
import {
  type BalanceEntry,
  compareKeys,
  isSpam,
  type SortKey,
  takePage,
  toEntry,
} from './BalanceEntry.ts'
import { fetchChainBalances } from './fetchChainBalances.ts'
import { type ChainReads, limitChainReads } from './limitChainReads.ts'
import { loadChainTokens } from './loadChainTokens.ts'
import { loadUnpriced } from './loadUnpriced.ts'
import { loadWallet } from './loadWallet.ts'

/**
 * Handles `balances` at the head block of each chain: ERC20 amounts from the ledger; native amounts, and those of tokens
 * with a ledger that differs from the chain, from the nodes. Any wallet may hold one of the latter without a log.
 *
 * @throws {ApiError} 503 when no chain is available, or when only native assets are requested and no node returns any.
 */
export async function handleBalances(
  parameters: BalancesParameters,
  context: HandlerContext,
): Promise<OperationResult<BalancesResponse>> {
  const { readStores, stoppedChains, receivedAt, headCache, priceCache, links } = context
  const { filters, excludeSpamTokens = false, historicalPrices, metadata } = parameters
  const wallet = parameters.address.toLowerCase()
  // Also while one of them is unavailable, so that paging continues.
  const chainIds = context.chains.map(({ id }) => id)
  const page = selectPage<SortKey>(
    balances,
    [wallet, chainIds, filters, excludeSpamTokens],
    parameters,
    context.cursors,
  )
  const { limit, after } = page
  const isListed = ({ holding }: BalanceEntry) => !(excludeSpamTokens && isSpam(holding))

  const { results, unreachable } = await readStores(async (snapshot, chainsOfStore) => {
    const requested = await findHeads(snapshot, chainsOfStore, stoppedChains)
    const { chains, heads } = requested
    const holder = filters === 'native' ? undefined : wallet
    const onChain =
      holder === undefined
        ? { tokens: [], omitted: new Map<number, number>() }
        : await headCache.getOrLoad(heads, [balances.name, 'tokens read from the chain'], () =>
            loadChainTokens(snapshot, { chains, heads, priceCache }),
          )
    const loaded = await headCache.getOrLoad(heads, [balances.name, holder], () =>
      loadWallet(snapshot, {
        ...{ chains, heads, wallet: holder, priceCache },
        chainTokens: onChain.tokens,
      }),
    )
    const isRead = (priced: PricedToken) => !(excludeSpamTokens && isSpam(priced))
    const natives = filters === 'erc20' ? [] : loaded.natives
    const reads = limitChainReads(loaded.held.notable.filter(isRead), onChain.tokens.filter(isRead))
    const fromLedger = takePage(loaded.entries, isListed, after, limit + 1)
    // Unpriced tokens count as spam.
    const missing = excludeSpamTokens ? 0 : limit + 1 - fromLedger.length
    if (missing > 0 && holder !== undefined) {
      fromLedger.push(
        ...(await loadUnpriced(snapshot, {
          chains,
          wallet: holder,
          priced: loaded,
          after,
          limit: missing,
        })),
      )
    }
    const tokens = [...fromLedger.map(({ holding }) => holding), ...natives, ...reads.tokens]
    const books = historicalPrices
      ? await loadTokenPrices(snapshot, {
          chains,
          heads,
          tokens: tokens.map(({ token }) => token),
          hours: historicalPrices,
          priceCache,
        })
      : undefined
    const findAuditedBlock = metadata?.includes('audit')
      ? await loadAuditedBlocks(
          snapshot,
          tokens.map(({ token }) => token),
          heads,
        )
      : undefined
    // The tokens that are not read have no price, and count as spam.
    const skipped = excludeSpamTokens ? [] : [onChain.omitted, loaded.held.others]
    const priced = [...loaded.priceable, ...reads.tokens.map(({ token }) => token)]
    // Any wallet may hold them, and the audit finds further holders without a new block.
    const isVolatile = onChain.tokens.length > 0 || loaded.held.others.size > 0
    const current = loaded.books
    return {
      ...{ requested, fromLedger, natives, reads, skipped, books, current },
      ...{ findAuditedBlock, priced, isVolatile },
    }
  })
  const requested = combineHeads(
    context.chains,
    results.map((result) => result.requested),
    unreachable,
  )
  const { heads } = requested
  const { fromLedger, natives, reads, skipped, books, current, findAuditedBlock } =
    combineStores(results)
  const read = await fetchChainBalances(wallet, { natives, reads, heads, skipped }, context)
  if (filters === 'native' && natives.length > 0 && read.errors.length === natives.length) {
    throw nodesUnavailable()
  }

  // They may displace balances from the ledger, so that `limit + 1` of the latter are always enough.
  const fromChain = read.holdings
    .map(toEntry)
    .filter((entry) => isListed(entry) && (!after || compareKeys(entry.key, after) > 0))
  const { entries, nextOffset } = page.finish(
    [...fromLedger, ...fromChain].sort((a, b) => compareKeys(a.key, b.key)),
    ({ key }) => key,
  )

  const extras = { historicalPrices, metadata, books, current, findAuditedBlock, links }
  const warnings = [...describeDepegs(current), ...read.warnings]
  return {
    body: {
      wallet_address: wallet,
      balances: entries.map(({ holding }) => toBalance(holding, extras)),
      ...(read.errors.length > 0 && {
        errors: { error_message: 'Some balances could not be read', token_errors: read.errors },
      }),
      ...(warnings.length > 0 && { warnings }),
      ...(nextOffset !== undefined && { next_offset: nextOffset }),
      request_time: receivedAt.toISOString(),
      response_time: new Date().toISOString(),
    },
    requested,
    // The audit compares amounts also while there is no new block.
    isComplete:
      read.isComplete &&
      !(
        findAuditedBlock &&
        entries.some(({ holding }) => findAuditedBlock(holding.token) === undefined)
      ),
    dependencies:
      historicalPrices || findAuditedBlock
        ? undefined
        : {
            chains: getDependencies(requested, filters === 'native' ? undefined : wallet, results),
            isSameAt: compareAmounts(context.chainReader, wallet, read.amounts),
            isVolatile: metadata !== undefined || results.some(({ isVolatile }) => isVolatile),
          },
  }
}

/** The rows and prices of a response, by chain id. */
function getDependencies(
  { chains }: ChainHeads,
  holder: string | undefined,
  results: readonly StoreBalances[],
): Map<number, ChainDependencies> {
  const prices = new Map(
    chains.map(({ id, wrappedNative }) => [id, wrappedNative ? [wrappedNative] : []]),
  )
  for (const { chain, address } of results.flatMap(({ priced }) => priced)) {
    prices.get(chain.id)?.push(address)
  }
  const holders = holder === undefined ? [] : [holder]
  return new Map([...prices].map(([id, tokens]) => [id, { holders, prices: tokens }]))
}

/** What a store returns of a request's chains. */
interface StoreBalances {
  readonly fromLedger: readonly BalanceEntry[]
  readonly natives: readonly PricedToken[]
  readonly reads: ChainReads
  /** Numbers of tokens by chain id. */
  readonly skipped: readonly ReadonlyMap<number, number>[]
  readonly books: ReadonlyMap<number, PriceBook> | undefined
  /** The books of the wallet, without past prices. */
  readonly current: ReadonlyMap<number, PriceBook>
  readonly findAuditedBlock: FindAuditedBlock | undefined
  readonly requested: ChainHeads
  /** The tokens with prices, and those that may get one. */
  readonly priced: readonly ChainToken[]
  readonly isVolatile: boolean
}

/** Combines what the stores of a request return, each of other chains. */
function combineStores(results: readonly StoreBalances[]) {
  const findStore = (chainId: number) =>
    results.find(({ requested }) => requested.heads.has(chainId))
  const findAuditedBlock: FindAuditedBlock = (token) =>
    findStore(token.chain.id)?.findAuditedBlock?.(token)
  return {
    fromLedger: results.flatMap((result) => result.fromLedger),
    natives: results.flatMap((result) => result.natives),
    reads: {
      tokens: results.flatMap(({ reads }) => reads.tokens),
      isHeld: (priced: PricedToken) =>
        findStore(priced.token.chain.id)?.reads.isHeld(priced) ?? false,
      errors: results.flatMap(({ reads }) => reads.errors),
      skipped: new Map(results.flatMap(({ reads }) => [...reads.skipped])),
    },
    skipped: results.flatMap((result) => result.skipped),
    books: results.some(({ books }) => books)
      ? new Map(results.flatMap(({ books }) => [...(books ?? [])]))
      : undefined,
    current: new Map(results.flatMap(({ current }) => [...current])),
    findAuditedBlock: results.some((result) => result.findAuditedBlock)
      ? findAuditedBlock
      : undefined,
  }
}
